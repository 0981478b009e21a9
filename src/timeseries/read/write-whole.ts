import { LRUCache } from 'lru-cache'
import { yieldToEventLoop } from '../../async/index.ts'
import type { Written } from '../../async/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { AnswerWriter } from '../formats/format.ts'

/** An answer as it was written. */
export type WrittenAnswer = {
  readonly rows: readonly TextRow[]
  /** Where in the bytes the piece of the first row begins, then where each piece ends. */
  readonly ends: readonly number[]
  readonly bytes: Buffer
}

/** The last answers of a reading, by their forms. */
export type WrittenAnswers = {
  readonly get: (form: string) => WrittenAnswer | undefined
  readonly set: (form: string, answer: WrittenAnswer) => unknown
  /** What all of them take. */
  readonly bytes: () => number
}

/** @param mostBytes of all of them */
export function rememberWritten(mostBytes: number): WrittenAnswers {
  const answers = new LRUCache<string, WrittenAnswer>({
    maxSize: Math.max(1, mostBytes),
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
  /** Rows that are written at once; then other requests have their turn. */
  readonly slice: number
  /** The answer before in the same form. */
  readonly before: WrittenAnswer | undefined
}

const nothing: WrittenAnswer = { rows: [], ends: [0], bytes: Buffer.alloc(0) }

/**
 * Writes an answer of one page. What is written of a row depends on it and on the row before it: so where the same two
 * stood in the answer before, its bytes are copied, those of many rows at once. What has changed is another row.
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
    // The writer goes on as if it had written them.
    writer.rows(rows.slice(next + count - 1, next + count))
  }
  add(writer.end())
  return { rows, ends, bytes: sink.bytes() }
}

/** Whether later answers can be compared with it: where nothing is written of a row, more depends on that. */
export function isComparable({ ends }: WrittenAnswer): boolean {
  return ends.every((end, place) => place === 0 || end !== ends[place - 1])
}

/** Finds the place behind a row, or the end. */
function finderIn(rows: readonly TextRow[]) {
  let places: Map<TextRow | undefined, number> | undefined
  return (row: TextRow | undefined) => {
    places ??= new Map(rows.map((one, place) => [one, place + 1]))
    return places.get(row) ?? rows.length
  }
}

type Following = { readonly rows: readonly TextRow[]; readonly from: number }

/** How many of the rows that follow are the same. */
function countSame(one: Following, other: Following): number {
  const most = Math.min(one.rows.length - one.from, other.rows.length - other.from)
  let count = 0
  while (count < most && one.rows[one.from + count] === other.rows[other.from + count]) count += 1
  return count
}

/** Room for short answers. */
export const smallest = 16_384

/** Texts become bytes while they are short, all in one buffer: to make one of a long text takes several times as long. */
export function openSink(expected: number) {
  let bytes = Buffer.allocUnsafe(expected)
  let length = 0
  return {
    length: () => length,
    bytes: () => bytes.subarray(0, length),
    /** A copy of what is there, which is then empty: who waits to send it holds no more than it has. */
    take: () => {
      const taken = Buffer.from(bytes.subarray(0, length))
      length = 0
      return taken
    },
    /** @param left how many more pieces are expected */
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
