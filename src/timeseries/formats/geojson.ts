import type { TextRow } from '../../storage/index.ts'
import { membersOf, readerOf } from '../read/members.ts'
import type { Format } from './format.ts'

/**
 * A geometry of GeoJSON, from a place as the database printed it: a point with its axes and reference
 * system, or a geometry with its own. RFC 7946 knows only WGS 84, which all of them are in.
 */
function toGeometry(printed: string): string {
  const { x, y, srid: _srid, crs: _crs, ...geometry } = objectOf(JSON.parse(printed))
  const isPoint = typeof x === 'number' && typeof y === 'number'
  return JSON.stringify(isPoint ? { type: 'Point', coordinates: [x, y] } : geometry)
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}

/** Fields that say where a row is: of stations and their values, of edges, of events. */
const places: readonly string[] = ['scoordinate', 'egeometry', 'evlgeometry']

/**
 * GeoJSON (RFC 7946): a feature for each row, with its place in WGS 84, longitude first, or null where
 * it has none, and everything else that the flat JSON answer would show as `properties`.
 */
export const geojson: Format = {
  name: 'geojson',
  mediaTypes: ['application/geo+json'],
  summary: 'GeoJSON features, longitude first',
  structures: ['flat'],
  needsPlace: true,
  open: ({ columns, style, offset, limit }) => {
    const place = columns.find(({ key }) => places.includes(key))
    const write = membersOf(
      columns.filter((column) => column !== place),
      style,
    )
    const readPlace = place === undefined ? undefined : readerOf(place)
    let separator = ''
    const toFeature = (row: TextRow) => {
      const [geometry, properties] = [geometryOf(readPlace?.(row)), write(row)]
      if (geometry === 'null' && properties === '') return ''
      const feature = `${separator}{"type":"Feature","geometry":${geometry},"properties":{${properties}}}`
      separator = ','
      return feature
    }
    return {
      begin: () =>
        `{"type":"FeatureCollection","offset":${String(offset)},"limit":${String(limit)},"features":[`,
      rows: (rows) => rows.map(toFeature).join(''),
      end: () => ']}',
    }
  },
}

function geometryOf(printed: string | null | undefined): string {
  return printed === null || printed === undefined ? 'null' : toGeometry(printed)
}
