import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { TypedColumn } from '../columns/typed-column.ts'
import type { Vector } from '../columns/vector.ts'
import { toMetadata, toSchema } from './to-schema.ts'
import { toValues } from './to-values.ts'

/** Rows of a group at most; a larger one would take too long to be written. */
export const largestGroup = 16_384

/** A Parquet file that is written row group by row group, and in a group column by column. */
export function openParquet(columns: readonly TypedColumn[]) {
  const bytes = new ByteWriter()
  const schema = toSchema(columns)
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'hub' })
  file.kvMetadata = toMetadata(columns)

  /** What was written since the last time; the file counts on from there. */
  const take = (): Uint8Array => {
    const taken = Uint8Array.from(bytes.getBytes())
    bytes.index = 0
    return taken
  }

  /** @param parts vectors of some rows each, one for each column */
  function* writeGroup(parts: readonly (readonly Vector[])[]) {
    const before = { groups: file.row_groups.length, rows: file.num_rows }
    for (const [place, column] of columns.entries()) {
      void file.write({
        columnData: [sourceOf(column, place, parts)],
        rowGroupSize: largestGroup * 2,
      })
      yield take()
    }
    joinGroups(file, before)
  }

  const finish = (): Uint8Array => {
    void file.finish()
    const footer = take()
    return file.row_groups.length === 0 ? withTypedList(footer) : footer
  }
  return { begin: take, writeGroup, finish }
}

function sourceOf(
  { name, kind }: TypedColumn,
  place: number,
  parts: readonly (readonly Vector[])[],
) {
  const data = parts.flatMap((vectors) => {
    const vector = vectors[place]
    return vector === undefined ? [] : toValues(vector, kind)
  })
  // The smallest and the largest JSON would stand in the footer at full length.
  return { name, data, statistics: !kind.endsWith('json') }
}

/**
 * The library writes all columns of a group at once, which holds up others for too long. So each was
 * written as a group of its own; in the footer they are put together.
 */
function joinGroups(
  file: ParquetWriter,
  before: { readonly groups: number; readonly rows: bigint },
): void {
  const columns = file.row_groups.splice(before.groups)
  const [first] = columns
  if (first === undefined) return
  const sum = (sizes: readonly (bigint | undefined)[]) =>
    sizes.reduce<bigint>((total, size) => total + (size ?? 0n), 0n)
  file.row_groups.push({
    columns: columns.flatMap((group) => group.columns),
    num_rows: first.num_rows,
    total_byte_size: sum(columns.map((group) => group.total_byte_size)),
    total_compressed_size: sum(columns.map((group) => group.total_compressed_size)),
  })
  file.num_rows = before.rows + first.num_rows
}

/** In the footer: there are no rows (0), and then comes the list of the row groups, which is empty. */
const noGroups = [0x16, 0x00, 0x19, 0x00]
const emptyListOfStructs = 0x0c

/** The library writes an empty list without the type of its elements, which strict readers refuse. */
function withTypedList(footer: Uint8Array): Uint8Array {
  const place = Buffer.from(footer).lastIndexOf(Buffer.from(noGroups))
  if (place !== -1) footer[place + noGroups.length - 1] = emptyListOfStructs
  return footer
}
