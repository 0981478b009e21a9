import { Type } from 'typebox'
import { sql } from '../../sql/index.ts'
import { defineEntity } from '../entity.ts'
import { geoShapeFilters } from '../filters/lists/further.ts'
import { simplifyFilter } from '../geography/simplify-filter.ts'
import { sridFilter } from '../geography/srid-filter.ts'
import { recordSchema } from './base.ts'
import { note, text } from './members/values.ts'

/** GeoJSON (RFC 7946), as far as a schema should go: PostGIS judges the coordinates. */
const geometry = Type.Optional(
  Type.Unsafe<unknown>({
    type: ['object', 'null'],
    required: ['type'],
    properties: {
      type: {
        enum: [
          'Point',
          'MultiPoint',
          'LineString',
          'MultiLineString',
          'Polygon',
          'MultiPolygon',
          'GeometryCollection',
        ],
      },
      coordinates: { type: 'array', items: {} },
      geometries: { type: 'array', items: {} },
    },
    description: 'GeoJSON geometry, longitude first',
  }),
)

/** Outlines of countries, regions and municipalities, for the `polygon` filter (interface 4.7). */
export const geoShape = () =>
  defineEntity({
    name: 'GeoShape',
    path: 'GeoShapes',
    summary: 'Outlines of countries, regions and municipalities',
    idStyle: 'exact',
    titles: ['Name'],
    columns: {
      shape_type: { type: 'text', expression: sql`left(data ->> 'Type', 100)` },
      name: { type: 'text', expression: sql`left(data ->> 'Name', 250)` },
    },
    filters: geoShapeFilters,
    itemFilters: [sridFilter, simplifyFilter],
    aliasPaths: ['GeoShape'],
    order: ['shape_type', 'name'],
    schema: recordSchema('GeoShape', {
      Name: text,
      Type: note(text, 'country, region, province, municipality …'),
      Country: note(text, 'Two capital letters (ISO 3166)'),
      Srid: note(text, 'Such as EPSG:4326'),
      Geometry: geometry,
    }),
  })
