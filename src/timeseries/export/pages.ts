import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'

/** A table read from its beginning to its end, as pages of a short statement each. */
export type Reading = {
  /** What is read, after `select` and before `where`. */
  readonly columns: Sql
  readonly from: Sql
  readonly where?: Sql
  /** Columns that give a total order; they come first in every row. */
  readonly key: readonly Sql[]
  readonly pageSize: number
}

/** The pages of a reading. What is written meanwhile shows up if it comes later in the order. */
export async function* pagesOf(
  database: Queryable,
  { columns, from, where = sql`true`, key, pageSize }: Reading,
): AsyncIterable<readonly TextRow[]> {
  const order = join(key, ', ')
  let after: Sql = sql`true`
  for (;;) {
    const rows = await database.texts(sql`
      select ${order}, ${columns} from ${from} where ${where} and ${after}
      order by ${order} limit ${pageSize}`)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    const values = last.slice(0, key.length).map((value) => sql`${value}`)
    after = sql`(${order}) > (${join(values, ', ')})`
  }
}

/** Whole objects of a canonical format: rows with the same head share one. The last two columns are head and item. */
export async function* objectsOf(
  database: Queryable,
  reading: Omit<Reading, 'pageSize'>,
): AsyncIterable<string> {
  for await (const rows of pagesOf(database, { ...reading, pageSize: 500 })) {
    for (const [head, group] of Map.groupBy(rows, (row) => row.at(-2) ?? '{}')) {
      yield `${head.slice(0, -1)}, "items": [${group.map((row) => row.at(-1) ?? '').join(',')}]}`
    }
  }
}
