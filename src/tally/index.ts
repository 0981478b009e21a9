import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { TextRow } from '../storage/index.ts'

/** Cells of a map: so many in a degree, counted from 0° 0°. */
export type Grid = { readonly perLongitude: number; readonly perLatitude: number }

/** The cell of a point, as `x y`. */
export function cellOf(point: Sql, { perLongitude, perLatitude }: Grid): Sql {
  return sql`concat(
    floor(st_x(${point}) * ${perLongitude}::integer)::integer, ' ',
    floor(st_y(${point}) * ${perLatitude}::integer)::integer)`
}

/** How many have a value, by value; the most frequent first. */
export type Tally = ReadonlyMap<string, number>

/** Counts of several kinds of things: rows of a part, the kind, a value and how many have it. */
export type Counts = {
  /** In the order of the values that are most frequent; a value that is empty or null is left out. */
  readonly tally: (kind: string) => Tally
  /** The value and the number of a kind that has one row. */
  readonly single: (kind: string) => { readonly value: string | null; readonly count: number }
}

/** Reads the rows `(part, kind, value, count)` of a statement, part by part. */
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

/** The most frequent first, and those that are as frequent by their values. */
export function inOrder(counted: Iterable<readonly [string, number]>): Tally {
  return new Map([...counted].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)))
}

/**
 * Of each part the most frequent values, as rows for `readCounts`.
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
