import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { TextRow } from '../storage/index.ts'

/** Cells of a map: the number of cells per degree, counted from 0° 0°. */
export type Grid = { readonly perLongitude: number; readonly perLatitude: number }

/** Returns SQL for the cell of a point, as `x y`. */
export function cellOf(point: Sql, { perLongitude, perLatitude }: Grid): Sql {
  return sql`concat(
    floor(st_x(${point}) * ${perLongitude}::integer)::integer, ' ',
    floor(st_y(${point}) * ${perLatitude}::integer)::integer)`
}

/** Counts by value, most frequent first. */
export type Tally = ReadonlyMap<string, number>

/** Counts of several kinds of things in one part. */
export type Counts = {
  /** Returns the counts of a kind, most frequent value first. Empty and null values are omitted. */
  readonly tally: (kind: string) => Tally
  /** Returns the value and the count of a kind that has one row. */
  readonly single: (kind: string) => { readonly value: string | null; readonly count: number }
}

/** Groups the rows `(part, kind, value, count)` of a statement by part. */
export function readCounts(rows: readonly TextRow[]): ReadonlyMap<string, Counts> {
  const parts = Map.groupBy(rows, ([part]) => part ?? '')
  return new Map([...parts].map(([part, own]) => [part, countsOf(own)]))
}

function countsOf(rows: readonly TextRow[]): Counts {
  const kinds = Map.groupBy(rows, ([, kind]) => kind ?? '')
  return {
    tally: (kind) => {
      const counted = (kinds.get(kind) ?? []).flatMap(([, , value, count]) =>
        typeof value === 'string' && value !== '' ? [[value, Number(count)] as const] : [],
      )
      return inOrder(counted)
    },
    single: (kind) => {
      const [, , value = null, count = null] = kinds.get(kind)?.[0] ?? []
      return { value, count: Number(count ?? 0) }
    },
  }
}

/** Sorts counts by frequency, highest first, then by value. */
export function inOrder(counted: Iterable<readonly [string, number]>): Tally {
  return new Map([...counted].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)))
}

/**
 * Returns SQL for the most frequent values of each part, as rows for `readCounts`.
 * @param counted a table, or a subquery in parentheses, with part, kind, value and records
 */
export function mostOfEach(counted: Sql, most: number): Sql {
  return sql`
    select part, kind, value, records
    from (
      select *, row_number() over (partition by part order by records desc, value) as place
      from ${counted} as counted) as ranked
    where place <= ${most}::bigint`
}
