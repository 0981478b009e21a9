import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { DecodeFault, shown } from './fault.ts'

/**
 * The text of what a step gets. A byte order mark decides the encoding and is left out; then the
 * charset of the step does.
 * @param charset a label of the web's encodings (UTF-8, ISO-8859-15, windows-1252, UTF-16LE …)
 * @throws DecodeFault for bytes that are none of this encoding, and for what is neither bytes nor text
 */
export function toText(input: unknown, charset = 'utf-8'): string {
  if (typeof input === 'string') return input.startsWith('\uFEFF') ? input.slice(1) : input
  return decodeBytes(toBytes(input), charset)
}

/** @throws DecodeFault for what is decoded already */
export function toBytes(input: unknown): Uint8Array {
  if (input instanceof Uint8Array) return input
  if (typeof input === 'string') return Buffer.from(input)
  throw new DecodeFault(`needs bytes or text, but gets ${kindOf(input)}`)
}

/** Whether there is an encoding of this name. */
export function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement'
  } catch {
    return false
  }
}

/** What the first bytes say: UTF-8 or UTF-16 with a byte order mark. */
export function markedEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

function decodeBytes(bytes: Uint8Array, charset: string): string {
  const label = markedEncoding(bytes) ?? charset
  if (!isCharset(label)) throw new DecodeFault(`there is no charset ${shown(label)}`)
  const decoder = new TextDecoder(label, { fatal: true })
  try {
    return decoder.decode(bytes)
  } catch {
    const line = decoder.encoding === 'utf-8' ? firstBadLine(bytes) : undefined
    throw new DecodeFault(`these bytes are no ${decoder.encoding} text`, { line })
  }
}

/** No other character of UTF-8 holds the byte of a newline, so bytes can be cut before they are read. */
function firstBadLine(bytes: Uint8Array): number {
  let line = 1
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(newline, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) break
    start = end + 1
  }
  return line
}

const newline = 0x0a

function kindOf(input: unknown): string {
  if (Array.isArray(input)) return 'a list'
  return input === null ? 'null' : `a decoded ${typeof input}`
}
