// Tables: rows of texts as typed columns, for programs that compute: Apache Arrow and Apache Parquet.
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

/** Columns whose cells stand in their order in each row. */
export function inOrder(
  columns: readonly { readonly name: string; readonly kind: ColumnKind }[],
): readonly TypedColumn[] {
  return columns.map((column, index) => ({ ...column, cell: { index } }))
}

/** How Arrow is requested, of whichever service. */
export const arrowOffer = {
  name: 'arrow',
  mediaTypes: ['application/vnd.apache.arrow.stream'],
  isBinary: true,
  extension: 'arrows',
} as const

/** The same of Parquet. */
export const parquetOffer = {
  name: 'parquet',
  otherNames: ['geoparquet'],
  mediaTypes: ['application/vnd.apache.parquet'],
  isBinary: true,
  extension: 'parquet',
} as const

/** Writes a stream of Arrow. */
export async function openArrow(table: Table): Promise<TableWriter> {
  openWriter ??= loadWriter()
  return (await openWriter)(table)
}

let openWriter: Promise<(table: Table) => TableWriter> | undefined

/**
 * The library is large, so it is loaded when it is first needed; and in parts, because to load
 * it at once would hold up others for a tenth of a second.
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

/** Writes a Parquet file; loaded when it is first needed. */
export async function openParquet(table: Omit<Table, 'zone'>): Promise<TableWriter> {
  const { parquetWriter } = await import('./parquet-writer.ts')
  return parquetWriter(table)
}
