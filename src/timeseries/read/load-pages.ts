import { empty, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import type { Order, OrderColumn } from '../catalogue/level.ts'
import type { ReadPlan } from './plan.ts'
import type { Selection } from './selection.ts'

/** Rows of one statement: what is held in memory, and how long a statement of a stream takes. */
const largestPage = 4000

/** Some rows: first the columns of the order, then those of the selection. */
export type Page = {
  readonly rows: readonly TextRow[]
  readonly isLast: boolean
  /** Versions of the datasets, of the same snapshot as the rows; with the first page only. */
  readonly versions: string | undefined
}

/**
 * Reads in keyset pages: each is a short statement of its own that goes on after the last row of the
 * one before. So no connection is held while a slow client reads (decision D9).
 */
export async function* loadPages(
  database: Queryable,
  selection: Selection,
): AsyncGenerator<Page, void, undefined> {
  const { plan } = selection
  let remaining = plan.limit ?? Number.POSITIVE_INFINITY
  let last: TextRow | undefined
  while (remaining > 0) {
    const size = Math.min(remaining, largestPage)
    const rows = await database.texts(pageStatement(selection, size, last))
    const [first] = rows
    const versions =
      last === undefined ? (first?.at(-1) ?? (await loadVersions(database, plan))) : undefined
    remaining = rows.length < size ? 0 : remaining - rows.length
    yield { rows, isLast: remaining === 0, versions }
    last = rows.at(-1)
  }
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

/** The rows after one, in their order; the first condition is the one that an index serves. */
function isAfter({ columns, indexed }: Order, row: TextRow): Sql {
  const from = columns.slice(0, indexed)
  const after = sql`(${expressionsOf(columns)}) > (${valuesOf(columns, row)})`
  return indexed === 0
    ? after
    : sql`(${expressionsOf(from)}) >= (${valuesOf(from, row)}) and ${after}`
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
