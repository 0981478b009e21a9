// Tables: rows of texts as typed columns, for data analysis: Apache Arrow and Apache Parquet.
import { yieldToEventLoop } from '../async/index.ts'
import type { ColumnKind, Table, TableWriter, TypedColumn } from './columns.ts'

export { readerOf } from './columns.ts'
export { decompression } from './compression.ts'
export { toShape } from './geometry.ts'
export type {
  Cell,
  ColumnKind,
  Shared,
  Table,
  TableWriter,
  TypedColumn,
  WrittenRow,
} from './columns.ts'

/** Maps columns to the cells of a row in the same order. */
export function inOrder(
  columns: readonly { readonly name: string; readonly kind: ColumnKind }[],
): readonly TypedColumn[] {
  return columns.map((column, index) => ({ ...column, cell: { index } }))
}

/** Name and media type by which any service offers Arrow. */
export const arrowOffer = {
  name: 'arrow',
  mediaTypes: ['application/vnd.apache.arrow.stream'],
  isBinary: true,
  extension: 'arrows',
} as const

/** Names and media type by which any service offers Parquet. */
export const parquetOffer = {
  name: 'parquet',
  otherNames: ['geoparquet'],
  mediaTypes: ['application/vnd.apache.parquet'],
  isBinary: true,
  extension: 'parquet',
} as const

/** Opens a writer of an Arrow stream. */
export async function openArrow(table: Table): Promise<TableWriter> {
  openWriter ??= loadWriter()
  return (await openWriter)(table)
}

let openWriter: Promise<(table: Table) => TableWriter> | undefined

/**
 * Loads the writer with its library. The library is large, so it is loaded on first use, and in
 * parts, because loading it at once would block other requests for a tenth of a second.
 */
async function loadWriter() {
  const parts = [
    () => import('apache-arrow/enum'),
    () => import('apache-arrow/data'),
    () => import('apache-arrow/recordbatch'),
    () => import('apache-arrow/ipc/writer'),
  ]
  for (const load of parts) {
    await load()
    await yieldToEventLoop()
  }
  const { arrowWriter } = await import('./arrow-writer.ts')
  return arrowWriter
}

/** Opens a writer of a Parquet file. The code is loaded on first use. */
export async function openParquet(table: Omit<Table, 'zone'>): Promise<TableWriter> {
  const { parquetWriter } = await import('./parquet-writer.ts')
  return parquetWriter(table)
}
