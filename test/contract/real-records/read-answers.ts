import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import type { PushingHub } from '../../fixtures/pushing-hub.ts'

const row = Type.Record(Type.String(), Type.Unknown())

/** A row of a flat response, or an item of an exported object. */
export type Row = Static<typeof row>

const answer = Type.Object({ data: Type.Array(row) })
const exported = Type.Object({ items: Type.Array(row) })

/** Requests all rows of a flat response, including null values. */
export async function readRows(hub: PushingHub, path: string): Promise<readonly Row[]> {
  return Parse(answer, await hub.get(`/v2/flat,${path}?limit=-1&shownull=true`)).data
}

/** Exports all items, by the value of one of their fields. */
export async function readExported(
  hub: PushingHub,
  dataset: 'dataTypes' | 'edges' | 'events',
  key: string,
): Promise<ReadonlyMap<unknown, Row>> {
  const objects = await hub.exported(dataset)
  const items = objects.flatMap((object) => Parse(exported, object).items)
  return new Map(items.map((item) => [item[key], item]))
}
