import { DecodeFault } from './fault.ts'
import { tooDeep } from './limits.ts'
import type { Decoding } from './limits.ts'
import { toBytes, toText } from './text.ts'

/**
 * The value of a JSON text (RFC 8259).
 * @throws DecodeFault with line and column where they are known
 */
export function decodeJson(text: string, { maxDepth }: Decoding): unknown {
  assertShallow(text, maxDepth)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw toFault(error)
  }
}

/** The values of JSON texts, one on each line that is not blank; a line that is broken is told. */
export function decodeNdjson(
  input: unknown,
  charset: string | undefined,
  decoding: Decoding,
): readonly unknown[] {
  const values: unknown[] = []
  let line = 0
  for (const written of linesOf(input, charset)) {
    line += 1
    try {
      const text = toText(written, charset)
      if (text.trim() !== '') values.push(decodeJson(text, decoding))
    } catch (error) {
      if (!(error instanceof DecodeFault)) throw error
      const { column } = error.place
      decoding.tellBroken(new DecodeFault(error.reason, { step: 'ndjson', line, column }))
    }
  }
  return values
}

/** What `JSON.parse` gives has no bounds to its depth, and all that comes after it descends into it. */
function assertShallow(text: string, maxDepth: number): void {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === openList || code === openObject) {
      depth += 1
      if (depth > maxDepth) throw tooDeep(maxDepth)
    } else if (code === closeList || code === closeObject) depth -= 1
  }
}

/** Position of the quote that ends the string, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index += 1
  }
  return text.length
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** Such as `Expected ',' or ']' after array element in JSON at position 3 (line 1 column 4)`. */
function toFault(error: unknown): DecodeFault {
  const said = error instanceof Error ? error.message : ''
  const [, line, column] = /\(line (\d{1,9}) column (\d{1,9})\)$/.exec(said) ?? []
  const reason = said.replace(/ in JSON at position .*$/s, '').slice(0, 200)
  return new DecodeFault(`this is no JSON: ${reason}`, {
    ...(line === undefined ? {} : { line: Number(line), column: Number(column) }),
  })
}

/** Lines of a text; of bytes when they are no text as a whole, so that one bad line leaves the others. */
function* linesOf(
  input: unknown,
  charset: string | undefined,
): Generator<string | Uint8Array, void, undefined> {
  const whole = textOrBytes(input, charset)
  const end = whole.length
  for (let start = 0; start < end;) {
    const found = typeof whole === 'string' ? whole.indexOf('\n', start) : whole.indexOf(10, start)
    const stop = found === -1 ? end : found
    yield typeof whole === 'string' ? whole.slice(start, stop) : whole.subarray(start, stop)
    start = stop + 1
  }
}

function textOrBytes(input: unknown, charset: string | undefined): string | Uint8Array {
  if (charset !== undefined) return toText(input, charset)
  try {
    return toText(input)
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error
    return toBytes(input)
  }
}
