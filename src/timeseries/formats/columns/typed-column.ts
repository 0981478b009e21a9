import type { FieldType } from '../../catalogue/field.ts'
import type { Cell } from '../../read/cell.ts'
import type { Column } from '../../read/members.ts'
import type { ValueKinds } from '../../read/values/value-kinds.ts'

/** What a column holds: its types in Arrow and in Parquet follow from it. */
export type ColumnKind =
  | 'number'
  | 'integer'
  | 'bigint'
  | 'boolean'
  | 'time'
  | 'point'
  | 'text'
  | 'json'
  /** A GeoJSON geometry. */
  | 'geojson'

/** What a cell of several kinds has to hold for a column to show it. */
type Part = 'number' | 'text' | 'json'

/** A column of one type, the same for every row: its name, what it holds and where that stands. */
export type TypedColumn = {
  readonly name: string
  readonly kind: ColumnKind
  readonly cell: Cell
  /** Of a measured value, which is JSON: which values are shown here. */
  readonly part?: Part
}

/**
 * The columns of an answer, before any of its rows is read. A measured value has a column for its
 * numbers and, if there are series of such kinds, one for its texts and one for its JSON.
 */
export function toTypedColumns(
  columns: readonly Column[],
  kinds: ValueKinds,
): readonly TypedColumn[] {
  return columns.flatMap(({ key: name, type, index, of }) => {
    const cell = { index, of }
    return type === 'value' ? valueColumns(name, cell, kinds) : [{ name, kind: kindOf[type], cell }]
  })
}

function valueColumns(name: string, cell: Cell, kinds: ValueKinds): readonly TypedColumn[] {
  const others = (['text', 'json'] as const).filter((kind) => kinds[kind])
  return [
    { name, kind: 'number', cell, part: 'number' },
    ...others.map((kind) => ({ name: `${name}_${kind}`, kind, cell, part: kind })),
  ]
}

const kindOf: Readonly<Record<Exclude<FieldType, 'value'>, ColumnKind>> = {
  text: 'text',
  boolean: 'boolean',
  integer: 'integer',
  bigint: 'bigint',
  number: 'number',
  time: 'time',
  json: 'json',
  point: 'point',
  geometry: 'geojson',
}
