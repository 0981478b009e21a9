import type { Cell, ColumnKind, TypedColumn } from '../../tables/index.ts'
import type { FieldType } from '../catalogue/groups.ts'
import type { Column } from '../read/members.ts'
import type { ValueKinds } from '../read/values/packing.ts'

/**
 * Returns the columns of a response before any row is read. A measured value has a column for its
 * numbers and, if there are series of these kinds, one for its texts and one for its JSON.
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
