import { parquetMetadataAsync, parquetRead } from 'hyparquet'
import type { AsyncBuffer, FileMetaData } from 'hyparquet'
import { LRUCache } from 'lru-cache'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { inSteps } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import type { ExportStore } from '../../exports/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { TextRow } from '../../storage/index.ts'
import { decompression, inOrder, openParquet } from '../../tables/index.ts'
import { next, startOf } from '../partitions/months.ts'
import type { Month } from '../partitions/months.ts'

/** Storage of the files of cold months: a folder that all nodes share, or a bucket. */
export type ColdStore = Pick<
  ExportStore,
  'openWorkFolder' | 'put' | 'read' | 'remove' | 'removeUnfinished'
>

/** The file of a cold month in the store. */
export type ColdFile = {
  readonly month: Month
  readonly file: string
  readonly bytes: number
  /** CRC-32 of each of its blocks. */
  readonly checks: readonly number[]
}

const blockSize = 262_144

/** Returns the CRC-32 of each block of a local file. */
export async function checksOf(path: string): Promise<readonly number[]> {
  const checks: number[] = []
  const block = Buffer.alloc(blockSize)
  await using file = await open(path)
  for (;;) {
    const { bytesRead } = await file.read(block, 0, blockSize, checks.length * blockSize)
    if (bytesRead === 0) return checks
    checks.push(crc32(block.subarray(0, bytesRead)))
  }
}

/**
 * Returns a file whose blocks are verified before they are parsed, because on damaged blocks the
 * library may never finish.
 */
function checkedFile(read: ColdStore['read'], { file, bytes, checks }: ColdFile): AsyncBuffer {
  return {
    byteLength: bytes,
    slice: async (start, end = bytes) => {
      const first = Math.floor(start / blockSize)
      const from = first * blockSize
      const to = Math.min(bytes, Math.ceil(end / blockSize) * blockSize)
      const part = await read(file, from, to)
      for (let at = 0; at < part.byteLength; at += blockSize) {
        const block = new Uint8Array(part, at, Math.min(blockSize, part.byteLength - at))
        if (crc32(block) !== checks[first + at / blockSize]) throw new Error(`${file} is damaged.`)
      }
      return part.slice(start - from, end - from)
    },
  }
}

/** Rows of a file, from `from` and before `to`. */
export type Window = { readonly from: number; readonly to: number }

/** Number of rows that are read, sent to the database and stored at once. */
export const windowSize = 50_000

/**
 * Columns of a file: all that a value consists of. Series and provenances are ids of this database.
 */
const columns = inOrder([
  { name: 'series_id', kind: 'integer' },
  { name: 'valid_time', kind: 'instant' },
  { name: 'transaction_time', kind: 'instant' },
  { name: 'number', kind: 'number' },
  { name: 'provenance_id', kind: 'integer' },
  { name: 'text', kind: 'text' },
  { name: 'json', kind: 'json' },
])

/** The columns of a file in the order of the table, for `insert`. */
export const valueColumns = sql`
  series_id, valid_time, transaction_time, number, provenance_id, text, json`

const microseconds = (time: Sql) => sql`(extract(epoch from ${time}) * 1000000)::bigint`

/** SQL that selects the columns of a file from `measurement`. */
export const fileColumns = sql`
  series_id, ${microseconds(sql`valid_time`)}, ${microseconds(sql`transaction_time`)},
  number, provenance_id, text, json`

/**
 * Returns SQL for a time from the microseconds in a file. It is exact, because intervals count
 * microseconds in whole numbers.
 */
export const instantOf = (micros: Sql) =>
  sql`('epoch'::timestamptz + ${micros} * interval '1 microsecond')`

/**
 * SQL for the digest of all values in a group, in whatever order. The hash functions behind it are
 * those of hash partitions, so they stay the same in every version of PostgreSQL.
 */
export const digest = sql`
  sum(hash_record_extended(row(valid_time, transaction_time, number, provenance_id, text, json), 0))`

export function inMonth(month: Month): Sql {
  return sql`valid_time >= ${startOf(month)}::timestamptz
    and valid_time < ${startOf(next(month))}::timestamptz`
}

/** Number of rows that one step of the writer writes, which takes some milliseconds. */
const step = 2000

/**
 * Writes rows, sorted by series and time, as a Parquet file. Its row groups are small, so that a
 * series can be read without other series.
 */
export async function* printFile(
  pages: AsyncIterable<readonly TextRow[]>,
): AsyncGenerator<Uint8Array> {
  const writer = await openParquet({ columns, showNull: true })
  yield* inSteps(writer.begin())
  for await (const rows of pages) {
    for (let from = 0; from < rows.length; from += step) {
      yield* inSteps(writer.rows(rows.slice(from, from + step)))
    }
  }
  yield* inSteps(writer.end())
}

type Cell = string | number | bigint | null | undefined

/**
 * Reads rows of a file and returns them as a relation in SQL, with the columns of `measurement`.
 */
export type ReadRows = (file: ColdFile, window: Window) => Promise<Sql>

/** Maximum number of cached footers. Reading a footer takes longer than reading a series. */
const maxFooters = 24

/**
 * Returns a function that reads rows of files.
 * @throws AppError HUB-SRV-009, from that function, for a file that is damaged or missing
 */
export function rowReader({ read }: Pick<ColdStore, 'read'>): ReadRows {
  const footers = new LRUCache<string, FileMetaData>({ max: maxFooters })
  return async (coldFile, { from, to }) => {
    const file = checkedFile(read, coldFile)
    try {
      const metadata = footers.get(coldFile.file) ?? (await parquetMetadataAsync(file))
      footers.set(coldFile.file, metadata)
      let rows: readonly (readonly Cell[])[] = []
      await parquetRead({
        ...{ file, metadata, rowStart: from, rowEnd: to, ...decompression, parsers },
        columns: columns.map((column) => column.name),
        onComplete: (read) => {
          rows = read
        },
      })
      return toRelation(rows)
    } catch (error) {
      throw unreadable(coldFile.month, error)
    }
  }
}

const decoder = new TextDecoder()

/** Parsers that keep the microseconds of times, and JSON as text. */
const parsers = {
  timestampFromMicroseconds: (micros: bigint) => micros,
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
}

function toRelation(rows: readonly (readonly Cell[])[]): Sql {
  const numbers = (place: number) => `{${rows.map((row) => printNumber(row[place])).join(',')}}`
  const texts = (place: number) => rows.map((row) => (row[place] ?? null)?.toString() ?? null)
  return sql`(
    select series_id, ${instantOf(sql`valid`)} as valid_time,
      ${instantOf(sql`stored`)} as transaction_time, number, provenance_id, text, json
    from unnest(
      ${numbers(0)}::integer[], ${numbers(1)}::bigint[], ${numbers(2)}::bigint[],
      ${numbers(3)}::double precision[], ${numbers(4)}::integer[], ${texts(5)}::text[],
      ${texts(6)}::jsonb[])
      as stored (series_id, valid, stored, number, provenance_id, text, json)) as cold`
}

/** Prints a number for PostgreSQL, which supports negative zero; JavaScript would print it as 0. */
function printNumber(cell: Cell): string {
  return Object.is(cell, -0) ? '-0' : (cell ?? 'NULL').toString()
}

/**
 * Returns the error for a file that cannot be read.
 * @param cause what failed; undefined if the values differ from those that were written
 */
export function unreadable(month: Month, cause?: unknown): AppError {
  return new AppError(
    'HUB-SRV-009',
    `The values of ${month} are in a file that ${cause === undefined ? 'differs from what was written' : 'cannot be read'}.`,
    { hint: 'Request another range. The operator must restore the file.', cause },
  )
}
