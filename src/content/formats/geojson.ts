import { represent } from '../representation/index.ts'
import { defineFormat, separated } from './format.ts'
import type { Listing, LoadedRecord, Occasion } from './format.ts'
import { shapeOf } from './shape.ts'
import { positionOf } from './position.ts'
import { parseRecord } from './record-members.ts'

/**
 * GeoJSON (RFC 7946): a feature for each record, with its shape or position, or null where it has none, and what
 * the JSON answer would show as `properties`. Counts and links are those of OGC API Features.
 */
export const geojson = defineFormat({
  name: 'geojson',
  mediaTypes: ['application/geo+json'],
  summary: 'GeoJSON features, longitude first',
  streams: true,
  needsWhole: true,
  isInWgs84: true,
  list: (listing) =>
    separated({
      begin: `${headOf(listing).slice(0, -1)},"features":[`,
      separator: ',',
      end: ']}',
      record: (record) => [toFeature(record, listing)],
    }),
  item: toFeature,
})

function headOf({ total, previousPage, nextPage }: Listing): string {
  const links = Object.entries({ prev: previousPage, next: nextPage }).flatMap(([rel, href]) =>
    href === null ? [] : [{ rel, href, type: 'application/geo+json' }],
  )
  return JSON.stringify({ type: 'FeatureCollection', numberMatched: total, links })
}

function toFeature(
  { id, data }: LoadedRecord,
  { addressOf, representation }: Pick<Occasion, 'addressOf' | 'representation'>,
): string {
  const record = parseRecord(data)
  const geometry = JSON.stringify(shapeOf(record) ?? positionOf(record) ?? null)
  const properties = represent(data, addressOf(id), representation)
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`
}
