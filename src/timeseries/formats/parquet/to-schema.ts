import type { KeyValue, SchemaElement } from 'hyparquet-writer'
import type { TypedColumn } from '../columns/typed-column.ts'

/** The schema of a Parquet file, the elements of a point behind it. Any column may be null. */
export function toSchema(columns: readonly TypedColumn[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)]
}

function elementsOf({ name, kind }: TypedColumn): readonly SchemaElement[] {
  const element = { name, repetition_type: 'OPTIONAL' } as const
  switch (kind) {
    case 'number':
      return [{ ...element, type: 'DOUBLE' }]
    case 'integer':
      return [{ ...element, type: 'INT32' }]
    case 'bigint':
      return [{ ...element, type: 'INT64' }]
    case 'boolean':
      return [{ ...element, type: 'BOOLEAN' }]
    case 'time':
      return [{ ...element, type: 'INT64', ...milliseconds }]
    case 'point':
      return [{ ...element, num_children: 2 }, ...axes]
    case 'text':
      return [{ ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' }]
    case 'json':
    case 'geojson':
      // Without the converted type, for which texts would be printed as JSON once more.
      return [{ ...element, type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } }]
  }
}

const milliseconds = {
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const

const axes = ['x', 'y'].map((name): SchemaElement => ({
  name,
  type: 'DOUBLE',
  repetition_type: 'REQUIRED',
}))

/**
 * What tells programs for maps that points are places: GeoParquet 1.1, longitude first.
 * @returns undefined when there are none: an empty list would be written without the type of its elements
 */
export function toMetadata(columns: readonly TypedColumn[]): KeyValue[] | undefined {
  const points = columns.filter(({ kind }) => kind === 'point').map(({ name }) => name)
  const [primary] = points
  if (primary === undefined) return undefined
  const point = { encoding: 'point', geometry_types: ['Point'] }
  const geo = {
    version: '1.1.0',
    primary_column: primary,
    columns: Object.fromEntries(points.map((name) => [name, point])),
  }
  return [{ key: 'geo', value: JSON.stringify(geo) }]
}
