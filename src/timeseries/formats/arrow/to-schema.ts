import {
  Bool,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow'
import type { DataType } from 'apache-arrow'
import { isShared } from '../columns/to-vector.ts'
import type { TypedColumn } from '../columns/typed-column.ts'

/**
 * The schema of an Arrow stream, which is fixed before its first row. Any field may be null.
 * @param zone in which times are shown
 */
export function toSchema(
  columns: readonly TypedColumn[],
  zone: string,
): Schema<Record<string, DataType>> {
  const fields = columns.map((column, place) => {
    const type = typeOf(column, zone)
    const stored = isShared(column) ? new Dictionary(type, new Int32(), place) : type
    return new Field(column.name, stored, true, metadataOf(column))
  })
  return new Schema(fields)
}

function typeOf({ kind }: TypedColumn, zone: string): DataType {
  switch (kind) {
    case 'number':
      return new Float64()
    case 'integer':
      return new Int32()
    case 'bigint':
      return new Int64()
    case 'boolean':
      return new Bool()
    case 'time':
      return new TimestampMillisecond(zone)
    case 'point':
      return new Struct([new Field('x', new Float64()), new Field('y', new Float64())])
    case 'text':
    case 'json':
    case 'geojson':
      return new Utf8()
  }
}

/** What the type does not say: GeoArrow for points, a media type (as in JSON Schema) for texts. */
function metadataOf({ kind }: TypedColumn): Map<string, string> {
  switch (kind) {
    case 'point':
      return new Map([
        ['ARROW:extension:name', 'geoarrow.point'],
        ['ARROW:extension:metadata', '{"crs":"OGC:CRS84","crs_type":"authority_code"}'],
      ])
    case 'json':
      return new Map([['contentMediaType', 'application/json']])
    case 'geojson':
      return new Map([['contentMediaType', 'application/geo+json']])
    case 'number':
    case 'integer':
    case 'bigint':
    case 'boolean':
    case 'time':
    case 'text':
      return new Map()
  }
}
