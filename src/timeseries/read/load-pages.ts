import { empty, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import type { Order, OrderColumn } from '../catalogue/levels.ts'
import type { ReadPlan } from './plan.ts'
import type { Selection } from './selection.ts'
import type { WrittenRows } from './values/choose-series.ts'

/** Rows of the first statement: small, so that an answer begins soon. */
const firstPage = 4000

/**
 * Cells of each further statement: what is held in memory. Every statement looks up its series anew and
 * reads the values of one time again, so a stream of large pages is several times faster.
 */
const largestPage = 160_000

/** Some rows: first the columns of the order, then those of the selection. */
export type Page = {
  readonly rows: readonly TextRow[]
  readonly isLast: boolean
  /** Versions of the datasets, of the same snapshot as the rows; with the first page only. */
  readonly versions: string | undefined
  /** Whether the rows are of series that would be chosen otherwise by now. */
  readonly isStale?: boolean
  readonly written?: WrittenRows | undefined
}

/**
 * Reads in keyset pages: each is a short statement of its own that goes on after the last row of the
 * one before. So no connection is held while a slow client reads (decision D9). Once a stream runs, the
 * database reads the next page while this one is written.
 */
export async function* loadPages(
  database: Queryable,
  selection: Selection,
): AsyncGenerator<Page, void, undefined> {
  const { plan, order, columns } = selection
  const size = Math.max(firstPage, Math.ceil(largestPage / (order.columns.length + columns.length)))
  const follow = ({ rows, remaining }: Part): Promise<Part> | undefined => {
    if (remaining === 0) return undefined
    const part = loadPart(database, selection, { size, remaining, last: rows.at(-1) })
    // Who stops reading is not told of a failure; who reads on is, when the part is awaited.
    part.catch(() => undefined)
    return part
  }
  const remaining = plan.limit ?? Number.POSITIVE_INFINITY
  const first = await loadPart(database, selection, { size: firstPage, remaining, last: undefined })
  const versions = first.rows[0]?.at(-1) ?? (await loadVersions(database, plan))
  yield { rows: first.rows, isLast: first.remaining === 0, versions }
  let coming = follow(first)
  while (coming !== undefined) {
    const part = await coming
    coming = follow(part)
    yield { rows: part.rows, isLast: coming === undefined, versions: undefined }
  }
}

type Part = {
  readonly rows: readonly TextRow[]
  /** How many more may be read; 0 when there are none. */
  readonly remaining: number
}

type Start = {
  readonly size: number
  readonly remaining: number
  /** The row after which the part begins; undefined for the first part. */
  readonly last: TextRow | undefined
}

async function loadPart(database: Queryable, selection: Selection, start: Start): Promise<Part> {
  const size = Math.min(start.size, start.remaining)
  const rows = await database.texts(pageStatement(selection, size, start.last))
  return { rows, remaining: rows.length < size ? 0 : start.remaining - rows.length }
}

/** The versions of the datasets of a plan, without reading any of its rows. */
export async function loadVersions(database: Queryable, { versions }: ReadPlan): Promise<string> {
  const [row] = await database.texts(sql`select ${versions}`)
  return row?.[0] ?? ''
}

/** @param last the row after which the page begins; undefined for the first page */
function pageStatement(selection: Selection, size: number, last: TextRow | undefined): Sql {
  const { plan, order, columns, from, where, groupBy, afterGroups } = selection
  const keys = order.columns.map(({ expression }) => expression)
  const selected = [...keys, ...columns, ...(last === undefined ? [sql`${plan.versions}`] : [])]
  const after = last === undefined ? undefined : isAfter(order, last)
  const [further, having] = afterGroups ? [undefined, after] : [after, undefined]
  return sql`
    select ${join(selected, ', ')}
    from ${from}
    where ${where} ${further === undefined ? empty : sql`and ${further}`}
    ${groupBy} ${having === undefined ? empty : sql`having ${having}`}
    order by ${join(keys, ', ')}
    limit ${size}::bigint offset ${last === undefined ? plan.offset : 0}::bigint`
}

/**
 * The rows after one, in their order; the first condition is the one that an index serves. `coalesce`
 * keeps PostgreSQL from guessing by the first column alone: of a single station type it would expect no
 * rows, and then read and sort all that are left for every page.
 */
function isAfter({ columns, indexed }: Order, row: TextRow): Sql {
  const from = columns.slice(0, indexed)
  const after = sql`(${expressionsOf(columns)}) > (${valuesOf(columns, row)})`
  return indexed === 0
    ? after
    : sql`(${expressionsOf(from)}) >= (${valuesOf(from, row)}) and coalesce(${after}, false)`
}

function expressionsOf(columns: readonly OrderColumn[]): Sql {
  return join(
    columns.map(({ expression }) => expression),
    ', ',
  )
}

function valuesOf(columns: readonly OrderColumn[], row: TextRow): Sql {
  return join(
    columns.map(({ type }, index) => sql`${row[index] ?? null}::${typeNames[type]}`),
    ', ',
  )
}

const typeNames: Readonly<Record<OrderColumn['type'], Sql>> = {
  text: identifier('text'),
  int4: identifier('int4'),
  timestamptz: identifier('timestamptz'),
  'text[]': sql`text[]`,
}
