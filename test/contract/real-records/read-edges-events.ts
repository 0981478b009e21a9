import type { PushingHub } from '../../fixtures/pushing-hub.ts'
import { compare } from './compare.ts'
import type { Edge, Event, OfKind, Provenance } from './messages.ts'
import { readExported, readRows } from './read-answers.ts'
import type { Row } from './read-answers.ts'

/**
 * Lists what differs from the sent data types in the export. They are compared there because other
 * responses show data types only with series.
 */
export async function findDataTypeDifferences(
  hub: PushingHub,
  messages: readonly OfKind<'dataTypes'>[],
): Promise<readonly string[]> {
  const types = await readExported(hub, 'dataTypes', 'name')
  const sent = messages.flatMap(({ items }) => items)
  return sent.flatMap((type) => compare(type.name, type, types.get(type.name)))
}

/** Lists what differs from the sent edges, both in `/v2/flat,edge/{type}` and in the export. */
export async function findEdgeDifferences(
  hub: PushingHub,
  messages: readonly OfKind<'edges'>[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const { edgeType, origin, items } of messages) {
    const rows = await readRows(hub, `edge/${edgeType}`)
    const shown = new Map(rows.map((row) => [row['ecode'], toEdge(row)]))
    const exported = await readExported(hub, 'edges', 'code')
    for (const item of items) {
      const { geometry: _exact, ...rest }: Edge = item
      found.push(...compare(item.code, { ...rest, origin }, shown.get(item.code)))
      found.push(...compare(item.code, item, exported.get(item.code)))
    }
  }
  return found
}

function toEdge(row: Row) {
  return {
    code: row['ecode'],
    name: row['ename'],
    origin: row['eorigin'],
    directed: row['edirected'],
    active: row['eactive'],
    from: { type: row['sbtype'], code: row['sbcode'] },
    to: { type: row['setype'], code: row['secode'] },
  }
}

/** Lists what differs from the sent events, both in `/v2/flat,event/{origin}` and in the export. */
export async function findEventDifferences(
  hub: PushingHub,
  messages: readonly OfKind<'events'>[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const { origin, provenance, items } of messages) {
    const shown = new Map(
      (await readRows(hub, `event/${origin}`)).map((row) => [row['evuuid'], row]),
    )
    const exported = await readExported(hub, 'events', 'uuid')
    for (const item of items) {
      const row = shown.get(item.uuid)
      found.push(
        ...compare(item.uuid, shownMembers(item, { origin, provenance }), row && inUtc(row)),
      )
      const whole = exported.get(item.uuid)
      found.push(...compare(item.uuid, inUtc(item), whole && inUtc(whole)))
    }
  }
  return found
}

type Head = { readonly origin: string; readonly provenance: Provenance | undefined }

function shownMembers(item: Event, { origin, provenance }: Head): object {
  return {
    evorigin: origin,
    evseriesuuid: item['series'] ?? item.uuid,
    evname: item['name'],
    evcategory: item['category'],
    evdescription: item['description'],
    evstart: toInstant(item['start']),
    evend: toInstant(item['end']),
    evmetadata: item['metadata'],
    prname: provenance?.name,
    prversion: provenance?.version,
    prlineage: provenance?.lineage,
  }
}

/** Converts times to UTC, because one moment can be written in several ways. */
function inUtc(members: Row): Row {
  const times = ['start', 'end', 'evstart', 'evend'].filter((name) => name in members)
  return {
    ...members,
    ...Object.fromEntries(times.map((name) => [name, toInstant(members[name])])),
  }
}

function toInstant(written: unknown): unknown {
  return typeof written === 'string' ? new Date(written.replace(' ', 'T')).toISOString() : written
}
