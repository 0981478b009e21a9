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
  /** The series that show it, where that is known; only what belongs to their choice is remembered. */
  readonly of?: { readonly series: readonly string[]; readonly total: number }
}

export function describe({ key, from, id, of: shown }: Described): Description {
  const known = new Map<string, TextRow>()
  const of = { key, rows: known }
  const columns: Sql[] = [id]
  const read = async (database: Queryable, missing: ReadonlySet<string>) => {
    const found = await database.texts(sql`
      select ${join(columns, ', ')} from ${from} where ${id} = any(${arrayOf([...missing])}::integer[])`)
    for (const row of found) known.set(row[0] ?? '', row)
  }
  return {
    add: (expression) => ({ of, index: columns.push(expression) - 1 }),
    complete: async (database, rows) => {
      if (columns.length === 1) return
      if (shown && known.size === 0) recall(shown.series, columns, known)
      if (known.size === shown?.total) return
      const missing = new Set<string>()
      for (const { [key]: wanted } of rows) {
        if (wanted !== null && wanted !== undefined && !known.has(wanted)) missing.add(wanted)
      }
      if (missing.size === 0) return
      await read(database, missing)
      if (shown && known.size === shown.total) remember(shown.series, columns, known)
    },
  }
}

type Remembered = { readonly columns: string; readonly rows: ReadonlyMap<string, TextRow> }

/**
 * What described the series of a choice when it was last shown, by what it is read from. A choice is
 * thrown away when a station or a data type is another one (`rememberChoices`), and this goes with it.
 */
const lastDescribed = new WeakMap<readonly string[], Map<string, Remembered>>()

/** For each series: what is longer is read again, so that all choices together stay small. */
const mostCharacters = 300

function recall(series: readonly string[], columns: readonly Sql[], known: Map<string, TextRow>) {
  const last = lastDescribed.get(series)?.get(columns[0]?.text ?? '')
  if (last?.columns !== nameOf(columns)) return
  for (const [id, row] of last.rows) known.set(id, row)
}

function remember(series: readonly string[], columns: readonly Sql[], rows: Map<string, TextRow>) {
  let characters = 0
  for (const row of rows.values()) for (const text of row) characters += text?.length ?? 0
  if (characters > mostCharacters * series.length) return
  const last = lastDescribed.get(series) ?? new Map<string, Remembered>()
  last.set(columns[0]?.text ?? '', { columns: nameOf(columns), rows })
  lastDescribed.set(series, last)
}

function nameOf(columns: readonly Sql[]): string {
  return JSON.stringify(columns.map(({ text, values }) => [text, values]))
}
