import { join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import type { Cell } from '../cell.ts'
import { arrayOf } from './packing.ts'

/** What describes many rows, such as their stations: read once for each id that stands in a row. */
type Description = {
  /** Where the value of an expression will be found. */
  readonly add: (expression: Sql) => Cell
  /** Reads what describes these rows and is not there yet. */
  readonly complete: (database: Queryable, rows: readonly TextRow[]) => Promise<void>
}

type Described = {
  /** Where in a row the id stands. */
  readonly key: number
  readonly from: Sql
  readonly id: Sql
  /** How many there are at most, where that is known. */
  readonly total?: number
}

export function describe({ key, from, id, total }: Described): Description {
  const known = new Map<string, TextRow>()
  const of = { key, rows: known }
  const columns: Sql[] = [id]
  return {
    add: (expression) => ({ of, index: columns.push(expression) - 1 }),
    complete: async (database, rows) => {
      if (columns.length === 1 || known.size === total) return
      const missing = new Set<string>()
      for (const { [key]: wanted } of rows) {
        if (wanted !== null && wanted !== undefined && !known.has(wanted)) missing.add(wanted)
      }
      if (missing.size === 0) return
      const found = await database.texts(sql`
        select ${join(columns, ', ')} from ${from} where ${id} = any(${arrayOf([...missing])}::integer[])`)
      for (const row of found) known.set(row[0] ?? '', row)
    },
  }
}
