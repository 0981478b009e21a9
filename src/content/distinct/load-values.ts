import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { orderBy, standsBehind } from '../list/order.ts'
import { compileValues } from './compile-values.ts'
import type { Source } from './compile-values.ts'
import type { Column } from './columns.ts'
import { keyValues, keysOf } from './sorting.ts'
import type { Sorting } from './sorting.ts'

/** Everything about an answer but where it begins. */
export type Values = {
  /** Name of the dataset whose version the answer has. */
  readonly dataset: string
  readonly source: Source
  readonly columns: readonly Column[]
  readonly sorting: Sorting
  readonly excludesEmpty: boolean
  /** Each row is a value rather than an object. */
  readonly asArray: boolean
  /** Rows before the first that is wanted, and the most that are; absent: all, without a total. */
  readonly page?: { readonly offset: number; readonly limit: number }
}

/** What one statement gives: rows in chunks, each the text of a JSON array. */
export type Block = {
  /** Of the dataset, in the same snapshot. */
  readonly version: string
  readonly total: number
  readonly chunks: readonly string[]
  /** Where to go on: the keys of the last row, where there may be more than a statement gives. */
  readonly next: Place | undefined
}

/** Where a block begins, and about how many characters it has. */
type Cut = { readonly after?: Place | undefined; readonly most?: number }

type Place = { readonly keys: readonly string[]; readonly seen: number }

/** Characters that one statement gives: what is held in memory. */
const mostPerBlock = 4_000_000
/** Characters that are parsed and printed in some milliseconds. */
const mostPerChunk = 50_000

/**
 * A block of the distinct rows, in their order. Nearly always it is all of them; only where they are more
 * text than memory should hold the statement runs again for what stands behind the last row.
 */
export async function loadBlock(
  database: Queryable,
  values: Values,
  { after, most = mostPerBlock }: Cut = {},
): Promise<Block> {
  const rows = await database.texts(compileBlock(values, { after, most }))
  const chunks = rows.flatMap(([, , chunk]) => (typeof chunk === 'string' ? [chunk] : []))
  const counts = rows.map(([, , , count]) => Number(count ?? 0))
  const seen = (after?.seen ?? 0) + counts.reduce((sum, count) => sum + count, 0)
  const isFull = Number(rows.at(-1)?.[4] ?? 0) >= most
  const last = chunks.at(-1)
  return {
    version: rows[0]?.[0] ?? '',
    total: Number(rows[0]?.[1] ?? 0),
    chunks,
    next: isFull && last !== undefined ? { keys: lastKeys(values, last), seen } : undefined,
  }
}

function compileBlock(values: Values, { after, most }: Required<Cut>): Sql {
  const { columns, page, source, dataset } = values
  const order = orderBy(keysOf(values.sorting))
  const isWanted =
    after === undefined ? sql`true` : standsBehind(keysOf(values.sorting), after.keys)
  const cut = page === undefined ? sql`` : toCut(page, after)
  const names = columns.map(({ name }) => name)
  return sql`
    with found as (${compileValues(source, values)})
    select version, total, chunk, count, reached
    from (
      select dataset_version(${dataset}) as version,
        ${page === undefined ? sql`0` : sql`(select count(*) from found)`} as total) as dataset
    left join (
      select json_agg(shown order by reached) as chunk, count(*) as count, max(reached) as reached
      from (
        select shown, length(shown::text) + 1 as size,
          sum(length(shown::text) + 1) over (order by ${order} rows unbounded preceding) as reached
        from (
          select ${shownOf(values)} as shown, ${join(names, ', ')}
          from found where ${all([isWanted])} order by ${order} ${cut}) as wanted) as measured
      where reached - size < ${most}::bigint
      group by reached::bigint / ${mostPerChunk}::bigint) as chunks on true
    order by reached`
}

function toCut(page: NonNullable<Values['page']>, after: Place | undefined): Sql {
  const { limit, offset } = page
  return after === undefined
    ? sql`limit ${limit} offset ${offset}`
    : sql`limit ${limit - after.seen}`
}

function shownOf({ asArray, columns }: Values): Sql {
  const [first] = columns
  if (asArray && first !== undefined) return sql`coalesce(to_json(${first.name}), 'null')`
  const members = columns.map(({ path, name }) => sql`${path.text}::text, ${name}`)
  return sql`json_build_object(${join(members, ', ')})`
}

function lastKeys(values: Values, chunk: string): readonly string[] {
  return keyValues(values.sorting, rowsOf(values, chunk).at(-1) ?? [])
}

/** The rows of a chunk, each the values of its columns. */
export function rowsOf(
  { columns, asArray }: Pick<Values, 'columns' | 'asArray'>,
  chunk: string,
): readonly (readonly (string | null)[])[] {
  const rows: unknown = JSON.parse(chunk)
  if (!Array.isArray(rows)) return []
  return rows.map((row: unknown) =>
    asArray ? [textOf(row)] : columns.map(({ path }) => textOf(memberOf(row, path.text))),
  )
}

function memberOf(row: unknown, name: string): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  const value: unknown = Object.getOwnPropertyDescriptor(row, name)?.value
  return value
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
