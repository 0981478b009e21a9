import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** What a field holds: decides how it is printed, and with what it can be compared. */
export type FieldType =
  | 'text'
  | 'boolean'
  /** A whole number of up to 32 bits. */
  | 'integer'
  /** A whole number of up to 64 bits: what is counted or summed up. */
  | 'bigint'
  /** A number with a fraction, of double precision. */
  | 'number'
  /** A time with zone. */
  | 'time'
  /** jsonb: passed through as it is stored. */
  | 'json'
  /** A measured value: JSON text of a number, a string or an object. */
  | 'value'
  /** A PostGIS point, printed as `{"x":…,"y":…,"srid":4326}`. */
  | 'point'
  /** A PostGIS geometry, printed as GeoJSON with `bbox` and `crs`. */
  | 'geometry'

/** A name of the interface and where its value stands (reference 1.7). */
export type Field = {
  readonly name: string
  readonly type: FieldType
  readonly expression: Sql
  /** Shown with each value, but the same for all values of a series. */
  readonly isOfSeries?: true
  /** Of a measured value: its columns, of which the kind of the series fills one. */
  readonly parts?: ValueParts
}

export type ValueParts = { readonly number: Sql; readonly text: Sql; readonly json: Sql }

/** The value of a field as text: JSON already, but for texts, booleans and times. */
export function printed({ type, expression }: Pick<Field, 'type' | 'expression'>): Sql {
  switch (type) {
    case 'point':
      return sql`'{"x":' || ST_X(${expression}) || ',"y":' || ST_Y(${expression}) || ',"srid":4326}'`
    case 'geometry':
      // Nine decimals; 3 requests the bounding box and the short name of the reference system.
      return sql`ST_AsGeoJSON(${expression}, 9, 3)`
    case 'text':
    case 'boolean':
    case 'integer':
    case 'bigint':
    case 'number':
    case 'time':
    case 'json':
    case 'value':
      return expression
  }
}
