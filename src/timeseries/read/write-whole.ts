import { LRUCache } from 'lru-cache'
import { yieldToEventLoop } from '../../async/index.ts'
import type { Written } from '../../async/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { AnswerWriter } from '../formats/format.ts'

/** A response as it was written. */
export type WrittenAnswer = {
  readonly rows: readonly TextRow[]
  /**
   * The position in the bytes where the first row starts, then the position where each row ends.
   */
  readonly ends: readonly number[]
  readonly bytes: Buffer
}

/** The last responses to a query, by their form: media type and URL. */
export type WrittenAnswers = {
  readonly get: (form: string) => WrittenAnswer | undefined
  readonly set: (form: string, answer: WrittenAnswer) => unknown
  /** Bytes of all cached responses. */
  readonly bytes: () => number
}

/** @param maxBytes limit on the bytes of all responses */
export function rememberWritten(maxBytes: number): WrittenAnswers {
  const answers = new LRUCache<string, WrittenAnswer>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  return {
    get: (form) => answers.get(form),
    set: (form, answer) => answers.set(form, answer),
    bytes: () => answers.calculatedSize,
  }
}

type Writing = {
  readonly writer: AnswerWriter
  /** Number of rows that are written without a pause. Then other requests have their turn. */
  readonly slice: number
  /** The previous response in the same form. */
  readonly before: WrittenAnswer | undefined
}

const nothing: WrittenAnswer = { rows: [], ends: [0], bytes: Buffer.alloc(0) }

/**
 * Writes a response of one page. The text of a row depends on the row itself and on the row before
 * it. So where the previous response has the same two rows, its bytes are copied, many rows at a
 * time. A row that has changed is a different object.
 */
export async function writeWhole(
  rows: readonly TextRow[],
  { writer, slice, before = nothing }: Writing,
): Promise<WrittenAnswer> {
  const [sink, placeBehind] = [openSink(before.bytes.length + smallest), finderIn(before.rows)]
  const add = (written: Written) => {
    for (const piece of typeof written === 'string' ? [written] : written) sink.add(piece)
  }
  add(writer.begin())
  add(writer.rows([]))
  const ends = [sink.length()]
  let known = 0
  for (let [next, fresh] = [0, 0]; next < rows.length; next = ends.length - 1) {
    const count = countSame({ rows, from: next }, { rows: before.rows, from: known })
    if (count === 0) {
      add(writer.rows(rows.slice(next, next + 1)))
      ends.push(sink.length())
      known = placeBehind(rows[next])
      fresh += 1
      if (fresh % slice === 0) await yieldToEventLoop()
      continue
    }
    const pieces = before.ends.slice(known, known + count + 1)
    const [start = 0] = pieces
    const shift = sink.length() - start
    sink.add(before.bytes.subarray(start, pieces.at(-1)))
    for (const end of pieces.slice(1)) ends.push(end + shift)
    known += count
    // Brings the writer to the state after these rows.
    writer.rows(rows.slice(next + count - 1, next + count))
  }
  add(writer.end())
  return { rows, ends, bytes: sink.bytes() }
}

/**
 * Reports whether later responses can reuse this one. If nothing is written for some row, the text
 * of the next row depends on more than that row.
 */
export function isComparable({ ends }: WrittenAnswer): boolean {
  return ends.every((end, place) => place === 0 || end !== ends[place - 1])
}

/** Returns a function that finds the position after a row, or the end for an unknown row. */
function finderIn(rows: readonly TextRow[]) {
  let places: Map<TextRow | undefined, number> | undefined
  return (row: TextRow | undefined) => {
    places ??= new Map(rows.map((one, place) => [one, place + 1]))
    return places.get(row) ?? rows.length
  }
}

type Following = { readonly rows: readonly TextRow[]; readonly from: number }

/** Returns the number of following rows that are the same objects. */
function countSame(one: Following, other: Following): number {
  const most = Math.min(one.rows.length - one.from, other.rows.length - other.from)
  let count = 0
  while (count < most && one.rows[one.from + count] === other.rows[other.from + count]) count += 1
  return count
}

/** Initial size of a sink in bytes, enough for short responses. */
export const smallest = 16_384

/**
 * Collects pieces in one buffer. Texts are encoded while they are short: encoding a long text takes
 * several times as long.
 */
export function openSink(expected: number) {
  let bytes = Buffer.allocUnsafe(expected)
  let length = 0
  return {
    length: () => length,
    bytes: () => bytes.subarray(0, length),
    /**
     * Returns a copy of the collected bytes and empties the sink. While the copy waits to be sent,
     * it holds no more memory than it needs.
     */
    take: () => {
      const taken = Buffer.from(bytes.subarray(0, length))
      length = 0
      return taken
    },
    /** @param left number of further pieces that are expected */
    add: (piece: string | Uint8Array, left = 0) => {
      const most = typeof piece === 'string' ? piece.length * 3 : piece.byteLength
      if (length + most > bytes.length) {
        const whole = Buffer.allocUnsafe(length + Math.max(length, most * (left + 1)))
        bytes.copy(whole, 0, 0, length)
        bytes = whole
      }
      if (typeof piece === 'string') length += bytes.write(piece, length)
      else {
        bytes.set(piece, length)
        length += piece.byteLength
      }
    },
  }
}
