import type { TextRow } from '../../storage/index.ts'

/** Where a value stands: in the row itself, or in what describes many rows. */
export type Cell = { readonly index: number; readonly of?: Shared | undefined }

/** What rows share: found by the id that stands at `key` in each. */
type Shared = { readonly key: number; readonly rows: ReadonlyMap<string, TextRow> }

/** Reads a value, as the database printed it. */
export function readerOf({ index, of }: Cell): (row: TextRow) => string | null | undefined {
  if (of === undefined) return (row) => row[index]
  const { key, rows } = of
  return (row) => rows.get(row[key] ?? '')?.[index]
}
