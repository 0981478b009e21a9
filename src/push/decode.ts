/** A part of a message: a JSON value or what is none, and its line when the message was NDJSON. */
export type Decoded =
  | { readonly kind: 'value'; readonly value: unknown; readonly line: number | undefined }
  | { readonly kind: 'broken'; readonly reason: string; readonly line: number | undefined }

const newline = 0x0a

/**
 * The JSON values of a message: one value, or NDJSON with one per line. A line that is no UTF-8 or no
 * JSON is broken with a reason and leaves the others alone; nothing is guessed or repaired.
 */
export function decodeJson(body: Uint8Array): readonly Decoded[] {
  const whole = decode(body, undefined)
  if (whole?.kind === 'value') return [whole]
  return linesOf(body).flatMap((line, index) => decode(line, index + 1) ?? [])
}

/** @returns undefined for what is blank */
function decode(bytes: Uint8Array, line: number | undefined): Decoded | undefined {
  const text = toText(bytes)
  if (text === undefined) return { kind: 'broken', reason: notUtf8(bytes), line }
  if (text.trim() === '') return undefined
  try {
    return { kind: 'value', value: JSON.parse(text), line }
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    return { kind: 'broken', reason: `is not JSON: ${why}`, line }
  }
}

/** Marks at the beginning of a text in UTF-16. */
const byteOrders = ['fffe', 'feff']

function notUtf8(bytes: Uint8Array): string {
  const isUtf16 = byteOrders.includes(Buffer.from(bytes.subarray(0, 2)).toString('hex'))
  return isUtf16 ? 'is UTF-16 text; send UTF-8' : 'is not UTF-8 text'
}

function toText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** No other character of UTF-8 holds the byte of a newline, so bytes can be cut before they are read. */
function linesOf(body: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let start = 0; start <= body.length;) {
    const end = body.indexOf(newline, start)
    lines.push(body.subarray(start, end === -1 ? body.length : end))
    start = end === -1 ? body.length + 1 : end + 1
  }
  return lines
}
