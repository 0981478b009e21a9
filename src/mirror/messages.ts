import { fieldsOf } from '../lang/json.ts'

/** A change of one record, or a record of a list. */
export type Message = {
  readonly key: string
  readonly operation: 'insert' | 'update' | 'delete'
  /** The message as the hub wrote it, but on one line. Numbers keep all their digits. */
  readonly text: string
}

/**
 * Limit in bytes for a response or a line: far more than any record needs, but little enough for
 * memory.
 */
export const maxTextLength = 64_000_000
export const longest = '64 MB'

const operations = ['insert', 'update', 'delete'] as const

/**
 * Parses a message of a feed.
 * @returns undefined for a control message, which concerns no record
 * @throws Error for anything that is not a message of a feed
 */
export function readMessage(text: string): Message | undefined {
  const { key, headers } = fieldsOf(JSON.parse(text))
  const { operation: written, control } = fieldsOf(headers)
  if (typeof control === 'string') return undefined
  const operation = operations.find((one) => one === written)
  if (typeof key !== 'string' || operation === undefined) {
    throw new Error(`This is not a message of a change feed: ${text.slice(0, 200)}`)
  }
  return { key, operation, text: text.trim().replaceAll(/[\r\n]+/g, ' ') }
}

/**
 * Parses the messages of a page.
 * @throws Error as `readMessage`
 */
export function readPage(text: string): readonly Message[] {
  return splitList(text).flatMap((item) => readMessage(item) ?? [])
}

/**
 * Splits a JSON array into the texts of its items.
 * @throws Error for an array that does not end
 */
function splitList(text: string): readonly string[] {
  const items: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at + 1)
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth === 1) start = at + 1
    } else if (character === ']' || character === '}') depth -= 1
    const isItem = depth === 1 ? character === ',' : depth === 0 && character === ']'
    if (!isItem) continue
    const item = text.slice(start, at)
    if (item.trim() !== '') items.push(item)
    start = at + 1
  }
  if (depth !== 0 || !text.trimStart().startsWith('[')) throw notAList(text)
  return items
}

/**
 * Returns the position of the closing quotation mark: one with an even number of backslashes before
 * it.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  throw notAList(text)
}

function notAList(text: string): Error {
  return new Error(`This is not a page of a change feed: ${text.slice(0, 200)}`)
}

/** Limits of a batch. */
const maxMessages = 1000
const maxCharacters = 2_000_000

/**
 * Yields the messages of a file in batches.
 * @throws Error as `readMessage` and `linesOf`
 */
export async function* batchesOf(
  source: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<readonly Message[]> {
  let batch: Message[] = []
  let size = 0
  for await (const lines of linesOf(source, name)) {
    for (const line of lines) {
      const message = line.length === 0 ? undefined : readMessage(line.toString())
      if (message === undefined) continue
      batch.push(message)
      size += message.text.length
      if (batch.length < maxMessages && size < maxCharacters) continue
      yield batch
      batch = []
      size = 0
    }
  }
  if (batch.length > 0) yield batch
}

const newline = 0x0a

/**
 * Yields the lines of a text without their line ends, all lines of a chunk together. The last line
 * needs no line end.
 * @throws Error for a line that is longer than any record
 */
export async function* linesOf(
  source: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<readonly Buffer[]> {
  let rest: Buffer[] = []
  let waiting = 0
  for await (const chunk of source) {
    const lines: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      lines.push(Buffer.concat([...rest, chunk.subarray(start, end)]))
      rest = []
      waiting = 0
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
    waiting += chunk.length - start
    if (waiting > maxTextLength) throw new Error(`${name}: a line is longer than ${longest}.`)
    if (lines.length > 0) yield lines
  }
  if (rest.length > 0) yield [Buffer.concat(rest)]
}
