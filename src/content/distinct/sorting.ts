import { nearest } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import { parseFields } from '../fields/parse-fields.ts'
import type { FieldPath } from '../fields/path.ts'
import { rejected } from '../filters/reject.ts'
import type { OrderKey } from '../list/order.ts'
import { parseRawSort } from '../rawsort/index.ts'
import type { Column } from './columns.ts'

/** The columns, in the order in which they decide; `index` is the place of one in the answer. */
export type Sorting = readonly {
  readonly column: Column
  readonly index: number
  readonly direction: OrderKey['direction']
}[]

/**
 * What the rows are ordered by: the columns of `rawsort`, then the others upwards, so that the order is
 * total (decision D4).
 * @throws AppError HUB-QRY-006 for what is no order, HUB-QRY-001 for a field that is not shown
 */
export function toSorting(columns: readonly Column[], rawsort: string | undefined): Sorting {
  const wanted = rawsort === undefined ? [] : rawsort.split(',').map((key) => readKey(columns, key))
  const first = new Map(wanted.reverse().map((key) => [key.index, key]))
  const sorted = [...first.values()].reverse()
  const others = columns.map((column, index) => ({
    column,
    index,
    direction: 'ascending' as const,
  }))
  return [...sorted, ...others.filter(({ index }) => !first.has(index))]
}

/** The keys of the order; null comes behind all texts, downwards before them. */
export function keysOf(sorting: Sorting): readonly OrderKey[] {
  return sorting.flatMap(({ column: { name, path }, direction }): readonly OrderKey[] => [
    { name: `${path.text}?`, value: sql`(${name} is null)::int::text`, type: 'text', direction },
    { name: path.text, value: sql`coalesce(${name}, '')`, type: 'text', direction },
  ])
}

/** The values of these keys in a row of the answer. */
export function keyValues(sorting: Sorting, row: readonly (string | null)[]): readonly string[] {
  return sorting.flatMap(({ index }) => {
    const value = row[index] ?? null
    return [String(Number(value === null)), value ?? '']
  })
}

/** key = [ "-" ] , path — where the path is one of `fields`, as it is written there or in another way. */
function readKey(columns: readonly Column[], key: string): Sorting[number] {
  const written = key.trim()
  const text = written.replace(/^- */, '')
  const direction = text === written ? 'ascending' : 'descending'
  const literal = columns.findIndex(({ path }) => path.text === text)
  if (literal === -1) parseRawSort(written)
  const index = literal === -1 ? indexOf(columns, parseFields([text])) : literal
  const column = columns[index]
  if (column === undefined) throw notShown(columns, text)
  return { column, index, direction }
}

/** `Types[*]`, `Types.[*]` and `Types.[]` are one path. */
function indexOf(columns: readonly Column[], [wanted]: readonly FieldPath[]): number {
  const steps = JSON.stringify(wanted?.steps)
  return columns.findIndex(({ path }) => JSON.stringify(path.steps) === steps)
}

function notShown(columns: readonly Column[], text: string) {
  const shown = columns.map(({ path }) => path.text)
  const meant = nearest(text, shown)
  return rejected({
    parameter: 'rawsort',
    detail: `has ${JSON.stringify(text)}, and only what is in fields can be sorted by`,
    expected: shown,
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  })
}
