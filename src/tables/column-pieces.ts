import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { SchemaElement } from 'hyparquet-writer'
import { compression } from './compression.ts'

type RowGroup = ParquetWriter['row_groups'][number]
type Metadata = NonNullable<RowGroup['columns'][number]['meta_data']>
type Statistics = NonNullable<Metadata['statistics']>

/** Values of some rows in a column. */
type Piece = {
  readonly name: string
  readonly data: readonly unknown[]
  readonly statistics: boolean
}

/** A growing column chunk: the pages written so far. */
type Chunk = { readonly pages: Uint8Array[]; readonly metadata: Metadata }

/**
 * Approximate size of the values in a page, in bytes. A smaller page has much overhead; a larger
 * one takes long to write.
 */
const maxPageSize = 65_536

/**
 * Returns the size of a value in memory. A null takes space there, although hardly any in the page.
 */
function sizeOf(value: unknown): number {
  return 8 + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0)
}

/** Returns a function that writes pieces separately, as pages that can be placed in any file. */
function pageWriter() {
  const bytes = new ByteWriter()
  const scratch = new ParquetWriter({ writer: bytes, schema: [], ...compression })
  return (
    { name, data, statistics }: Piece & { readonly data: unknown[] },
    schema: SchemaElement[],
  ): readonly Chunk[] => {
    bytes.index = 0
    scratch.schema = schema
    const start = BigInt(bytes.offset)
    const options = { statistics, encoding: 'PLAIN', offsetIndex: false } as const
    const columnData = [{ name, data, ...options }]
    void scratch.write({ columnData, rowGroupSize: data.length })
    scratch.pendingIndexes = []
    const group = scratch.row_groups.pop()
    return (group?.columns ?? []).flatMap(({ file_offset, meta_data }) => {
      if (meta_data === undefined) return []
      const at = Number(file_offset - start)
      const end = at + Number(meta_data.total_compressed_size)
      return [{ pages: [bytes.getBytes().slice(at, end)], metadata: meta_data }]
    })
  }
}

type WritePage = (values: unknown[]) => readonly Chunk[]

/** A growing column: its chunks, the values of the next page, and trailing nulls. */
function growingColumn() {
  let chunks: readonly Chunk[] = []
  let values: unknown[] = []
  let [size, nulls] = [0, 0]

  const padWithNulls = (): void => {
    for (; nulls > 0; nulls -= 1) values.push(null)
  }

  const writePage = (write: WritePage): number => {
    const written = write(values)
    ;[values, size] = [[], 0]
    chunks = chunks.length === 0 ? written : joinEach(chunks, written)
    return written.reduce(
      (sum, { pages }) => sum + pages.reduce((all, one) => all + one.byteLength, 0),
      0,
    )
  }

  return {
    /** Appends values in steps. Each step writes a page and yields its size. */
    *append(data: readonly unknown[], write: WritePage) {
      padWithNulls()
      for (const value of data) {
        values.push(value)
        size += sizeOf(value)
        if (size >= maxPageSize) yield writePage(write)
      }
    },
    appendNulls: (count: number): void => {
      nulls += count
    },
    finish: (write: WritePage): readonly Chunk[] => {
      padWithNulls()
      if (values.length > 0) writePage(write)
      return chunks
    },
  }
}

/**
 * Gathers a row group of many columns and long texts, compressing it as it grows: each column
 * becomes pages, which are kept until the group is large enough. Uncompressed, the group would be
 * too large for memory; and with small groups, readers would have to look up every column in each
 * of them.
 */
export function gatherPieces() {
  const writePages = pageWriter()
  const columns = new Map<string, ReturnType<typeof growingColumn>>()
  let [rows, size] = [0, 0]

  const columnOf = (name: string) => {
    const column = columns.get(name) ?? growingColumn()
    columns.set(name, column)
    return column
  }

  return {
    /** Returns the size of all pages in bytes. */
    size: () => size,
    rows: () => rows,
    /** Appends values to a column, in steps of a few milliseconds. */
    *append({ data, ...piece }: Piece, schema: SchemaElement[]) {
      const write: WritePage = (values) => writePages({ ...piece, data: values }, schema)
      for (const bytes of columnOf(piece.name).append(data, write)) {
        size += bytes
        yield nothing
      }
    },
    /** Appends rows without a value. They are written together with the values that follow. */
    appendNulls: (name: string, count: number): void => {
      columnOf(name).appendNulls(count)
    },
    /** Returns the chunks of a column with all its rows, and resets it. */
    take: (piece: Omit<Piece, 'data'>, schema: SchemaElement[]): readonly Chunk[] => {
      const column = columnOf(piece.name)
      columns.delete(piece.name)
      return column.finish((values) => writePages({ ...piece, data: values }, schema))
    },
    addRows: (count: number): void => {
      rows += count
    },
    /** @returns the number of rows in the group */
    end: (): number => {
      const written = rows
      ;[rows, size] = [0, 0]
      return written
    },
  }
}

const nothing = new Uint8Array()

/**
 * Appends the pages of another piece to the chunks of a column, one chunk for each of its members.
 */
function joinEach(chunks: readonly Chunk[], others: readonly Chunk[]): readonly Chunk[] {
  return chunks.map((chunk, place) => {
    const other = others[place]
    if (other === undefined) return chunk
    chunk.pages.push(...other.pages)
    return { pages: chunk.pages, metadata: join(chunk.metadata, other.metadata) }
  })
}

/** Merges the metadata of two pieces of a chunk. */
function join(one: Metadata, other: Metadata): Metadata {
  const [first] = one.encoding_stats ?? []
  const count = [one, other].reduce(
    (sum, { encoding_stats: [stats] = [] }) => sum + (stats?.count ?? 0),
    0,
  )
  return {
    ...one,
    num_values: one.num_values + other.num_values,
    total_compressed_size: one.total_compressed_size + other.total_compressed_size,
    total_uncompressed_size: one.total_uncompressed_size + other.total_uncompressed_size,
    ...(first === undefined ? {} : { encoding_stats: [{ ...first, count }] }),
    ...(one.statistics === undefined || other.statistics === undefined
      ? {}
      : { statistics: joinStatistics(one.statistics, other.statistics) }),
  }
}

function joinStatistics(one: Statistics, other: Statistics): Statistics {
  const { min_value: low, max_value: high } = one
  const { min_value: otherLow, max_value: otherHigh } = other
  const isLower = low !== undefined && (otherLow === undefined || low < otherLow)
  const isHigher = high !== undefined && (otherHigh === undefined || high > otherHigh)
  const nulls = (one.null_count ?? 0n) + (other.null_count ?? 0n)
  return {
    null_count: nulls,
    ...boundsOf(isLower ? low : otherLow, isHigher ? high : otherHigh),
  }
}

/** Returns the bounds of a chunk. Those of texts are omitted: they are long and of little use. */
function boundsOf(low: Statistics['min_value'], high: Statistics['max_value']): Statistics {
  if (low === undefined || high === undefined) return {}
  if (typeof low === 'string' || typeof high === 'string') return {}
  return { min_value: low, max_value: high }
}
