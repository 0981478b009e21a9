import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { PushingHub } from '../../fixtures/pushing-hub.ts'
import { compare } from './compare.ts'
import type { OfKind, Station } from './messages.ts'
import { readRows } from './read-answers.ts'
import type { Row } from './read-answers.ts'

/** Lists what differs from the sent stations in `/v2/flat,node/{type}`. */
export async function findStationDifferences(
  hub: PushingHub,
  messages: readonly OfKind<'stations'>[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const { stationType, origin, items } of messages) {
    const rows = await readRows(hub, `node/${stationType}`)
    const stations = new Map(rows.map((row) => [row['scode'], toStation(row)]))
    for (const { srid = 4326, ...item } of items) {
      const station = stations.get(item.code)
      const sent = { ...item, ...(origin === undefined ? {} : { origin }) }
      if (srid === 4326) found.push(...compare(item.code, sent, station))
      else found.push(...compareElsewhere(sent, station))
    }
  }
  return found
}

const point = Type.Union([Type.Object({ x: Type.Number(), y: Type.Number() }), Type.Null()])

function toStation(row: Row) {
  const place = Parse(point, row['scoordinate'])
  const parent = { type: row['ptype'], code: row['pcode'] }
  return {
    code: row['scode'],
    name: row['sname'],
    origin: row['sorigin'],
    active: row['sactive'],
    available: row['savailable'],
    coordinate: place && [place.x, place.y],
    parent: parent.code === null ? null : parent,
    metadata: row['smetadata'],
  }
}

const inDegrees = Type.Object({ LONG: Type.Number(), LAT: Type.Number() })

/**
 * Compares a station whose coordinate is in another reference system. It is returned in degrees,
 * which the metadata of the sender contain too.
 */
function compareElsewhere(sent: Station, found: ReturnType<typeof toStation> | undefined) {
  const { coordinate: _metres, ...rest } = sent
  const { LONG, LAT } = Parse(inDegrees, sent.metadata)
  const [x = 0, y = 0] = found?.coordinate ?? []
  const isThere = Math.hypot(x - LONG, y - LAT) < 0.00002
  const place = isThere ? [] : [`${sent.code} is at ${String(x)} ${String(y)}`]
  return [...compare(sent.code, rest, found), ...place]
}
