import type { TextRow } from '../../../storage/index.ts'
import { gatherRows } from '../columns/gather-rows.ts'
import { vectorReaders } from '../columns/to-vector.ts'
import { toTypedColumns } from '../columns/typed-column.ts'
import type { Vector } from '../columns/vector.ts'
import type { AnswerWriter, Listing } from '../format.ts'
import { largestGroup, openParquet } from './row-groups.ts'

/**
 * Writes an answer as a Parquet file: row groups as soon as they are full, and at the end the footer that
 * says where each is. All that is held is one group as vectors and some hundred bytes for each column of
 * those that were written.
 */
export function parquetWriter({ columns: listed, kinds, style }: Listing): AnswerWriter {
  const columns = toTypedColumns(listed, kinds)
  const readers = vectorReaders(columns)
  const gathered = gatherRows({
    ...{ columns, showNull: style.showNull },
    // Each group has a dictionary of its own.
    sharedTexts: 'in each piece',
  })
  const file = openParquet(columns)
  let [parts, rowsOfParts]: [(readonly Vector[])[], number] = [[], 0]

  /** One column at a time, so that others have their turn in between. */
  function* readVectors(rows: readonly TextRow[]) {
    const vectors: Vector[] = []
    for (const read of readers) {
      vectors.push(read(rows))
      yield nothing
    }
    parts.push(vectors)
    rowsOfParts += rows.length
  }

  function* writeParts() {
    const written = parts
    ;[parts, rowsOfParts] = [[], 0]
    yield* file.writeGroup(written)
  }

  return {
    begin: () => [file.begin()],
    *rows(rows) {
      gathered.add(rows)
      if (!gathered.isEnough()) return
      yield* readVectors(gathered.take())
      if (rowsOfParts >= largestGroup || parts.length >= mostParts) yield* writeParts()
    },
    *end() {
      const rows = gathered.take()
      if (rows.length > 0) yield* readVectors(rows)
      if (rowsOfParts > 0) yield* writeParts()
      yield file.finish()
    },
  }
}

/**
 * Parts of a group at most. Each has so many characters of texts at most, or one row (`gatherRows`); to
 * write a column of 2 million takes some 35 ms.
 */
const mostParts = 2

const nothing = new Uint8Array()
