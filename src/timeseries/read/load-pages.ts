import { identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import type { OrderColumn } from '../catalogue/level.ts'
import type { ReadPlan } from './plan.ts'

/** Rows of one statement: what is held in memory, and how long a statement of a stream takes. */
const largestPage = 4000

/** What to read: the plan, and the columns after those of its order. */
export type Selection = { readonly plan: ReadPlan; readonly columns: readonly Sql[] }

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
function pageStatement({ plan, columns }: Selection, size: number, last: TextRow | undefined): Sql {
  const keys = plan.order.columns.map(({ expression }) => expression)
  const selected =
    last === undefined ? [...keys, ...columns, sql`${plan.versions}`] : [...keys, ...columns]
  return sql`
    select ${join(selected, ', ')}
    from ${plan.from}
    where ${plan.where} ${last === undefined ? sql`` : sql`and ${isAfter(plan, last)}`}
    order by ${join(keys, ', ')}
    limit ${size}::bigint offset ${last === undefined ? plan.offset : 0}::bigint`
}

/** The rows after one, in the order of the plan; the first condition is the one that an index serves. */
function isAfter({ order: { columns, indexed } }: ReadPlan, row: TextRow): Sql {
  const from = columns.slice(0, indexed)
  return sql`
    (${expressionsOf(from)}) >= (${valuesOf(from, row)})
    and (${expressionsOf(columns)}) > (${valuesOf(columns, row)})`
}

function expressionsOf(columns: readonly OrderColumn[]): Sql {
  return join(
    columns.map(({ expression }) => expression),
    ', ',
  )
}

function valuesOf(columns: readonly OrderColumn[], row: TextRow): Sql {
  return join(
    columns.map(({ type }, index) => sql`${row[index] ?? null}::${identifier(type)}`),
    ', ',
  )
}
