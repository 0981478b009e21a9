import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** Lines of a file that are stored together, or a whole file that is one JSON text. */
export type Batch = {
  /** The lines, with a newline between them. */
  readonly lines: readonly Buffer[]
  /** Line of the file that the batch begins with, counted from 1. */
  readonly first: number
  /** Part of the file that is read, from 0 to 1. */
  readonly read: number
}

/** One transaction for many lines, but none that holds others up for long. */
const mostLines = 500
const mostBytes = 1_048_576

/** Beyond it a text does not fit into what JavaScript can hold. */
const mostOfText = 268_435_456

/**
 * The lines of an NDJSON file in batches; a file whose first line is no whole JSON is one body. Read as
 * a stream, so that memory stays flat; unpacked when it is gzip, whatever its name says.
 * @throws Error when it cannot be read, or has a JSON text too large to be read
 */
export async function* readBatches(file: string): AsyncIterable<Batch> {
  const { size } = await stat(file)
  const packed = createReadStream(file)
  const bytes = (await isGzip(file)) ? createGunzip() : new PassThrough()
  // Whoever reads the lines is told of its failure.
  void pipeline(packed, bytes).catch(() => undefined)
  try {
    yield* inBatches(linesOf(bytes), () => (size === 0 ? 1 : packed.bytesRead / size))
  } finally {
    packed.destroy()
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

/** No other character of UTF-8 holds the byte of a newline, so bytes can be cut before they are read. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)])
      ;[begun, length, start] = [[], 0, end + 1]
    }
    begun.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > mostOfText) throw tooLarge()
  }
  if (length > 0) yield Buffer.concat(begun)
}

async function* inBatches(lines: AsyncIterable<Buffer>, read: () => number): AsyncIterable<Batch> {
  let held: Buffer[] = []
  let [bytes, first] = [0, 1]
  let isWhole: boolean | undefined
  const take = (): Batch => {
    const batch = { lines: held, first, read: read() }
    ;[held, bytes, first] = [[], 0, first + held.length]
    return batch
  }
  for await (const line of lines) {
    if (isWhole === undefined && !isBlank(line)) isWhole = !isJson(line)
    held.push(line)
    bytes += line.length + 1
    if (isWhole === true && bytes > mostOfText) throw tooLarge()
    if (isWhole !== true && (held.length >= mostLines || bytes >= mostBytes)) yield take()
  }
  if (held.length > 0) yield take()
}

export function isBlank(line: Buffer): boolean {
  return line.toString().trim() === ''
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString().replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

function tooLarge(): Error {
  return new Error(
    'One JSON text of it has more than 256 MiB; write NDJSON, an object on each line.',
  )
}
