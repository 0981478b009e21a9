import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { pointerTo } from '../../../lang/json.ts'

/** Where in a payload something is wrong, as far as it is known. */
export type DecodePlace = {
  /** Name of the step that found it. */
  readonly step?: string | undefined
  /** Counted from 1, both. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** JSON pointer (RFC 6901) to the field that could not be decoded. */
  readonly pointer?: string | undefined
}

/** A payload that cannot be decoded: what is wrong with it, and where. The only thing decoding throws. */
export class DecodeFault extends Error {
  readonly reason: string
  readonly place: DecodePlace

  constructor(reason: string, place: DecodePlace = {}) {
    super(`${printPlace(place)}${reason}`)
    this.name = 'DecodeFault'
    this.reason = reason
    this.place = place
  }
}

/** Runs a step; its faults name it, unless they come from a step further inside. */
export function named<Result>(step: string, run: () => Result): Result {
  return placed({ step }, run)
}

/** Runs a part of the decoding; its faults say where it stands. */
export function placed<Result>(place: DecodePlace, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof DecodeFault)
      throw new DecodeFault(error.reason, { ...place, ...error.place })
    throw error
  }
}

/** `xml, at /rawdata, line 3, column 7: `, or nothing. */
function printPlace({ step, pointer, line, column }: DecodePlace): string {
  const parts = [
    step,
    pointer === undefined ? undefined : `at ${pointer}`,
    line === undefined ? undefined : `line ${String(line)}`,
    column === undefined ? undefined : `column ${String(column)}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? '' : `${parts.join(', ')}: `
}

/** A part of a payload as a message may show it: short, on one line. */
export function shown(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return JSON.stringify(short)
}

/** A line, row or element of a list that cannot be decoded while the others can. */
export type BrokenItem = {
  readonly reason: string
  /** Counted from 1, of the text that the step read. */
  readonly line?: number | undefined
  /** JSON pointer to the field that could not be decoded. */
  readonly pointer?: string | undefined
}

export type DecodeLimits = {
  /** Bytes that a payload may have, and that all its packed parts may unpack to, together. */
  readonly maxBytes: number
  /** How deep lists, objects and elements may be nested. */
  readonly maxDepth: number
  /** Gets what is left out because it is broken. Without it a broken item fails the payload. */
  readonly reportBroken?: ((broken: BrokenItem) => void) | undefined
}

/** Limits while a payload is decoded. */
export type Decoding = {
  readonly maxDepth: number
  /** Bytes that may still be unpacked. */
  readonly left: () => number
  /**
   * Counts what was unpacked.
   * @throws DecodeFault when there were more bytes than left
   */
  readonly spend: (bytes: number) => void
  /** @throws DecodeFault when broken items are not reported, or there are too many */
  readonly reportBroken: (fault: DecodeFault) => void
}

/** Each costs as much as many good ones, and nobody reads this many. */
const mostBroken = 100_000

/** @throws DecodeFault when the body itself is too large */
export function startDecoding(body: Uint8Array, limits: DecodeLimits): Decoding {
  const { maxBytes, maxDepth, reportBroken } = limits
  if (body.length > maxBytes) throw tooLarge(maxBytes)
  let left = maxBytes
  let broken = 0
  return {
    maxDepth,
    left: () => left,
    spend: (bytes) => {
      left -= bytes
      if (left < 0) throw tooLarge(maxBytes)
    },
    reportBroken: (fault) => {
      // When no bytes are left, it is not the item that is broken.
      if (reportBroken === undefined || left < 0) throw fault
      broken += 1
      if (broken > mostBroken) throw tooBroken(fault)
      const { line, pointer } = fault.place
      reportBroken({ reason: fault.message, line, pointer })
    },
  }
}

function tooBroken({ message }: DecodeFault): DecodeFault {
  return new DecodeFault(
    `more than ${String(mostBroken)} items of the payload are broken, such as ${message}`,
  )
}

function tooLarge(maxBytes: number): DecodeFault {
  return new DecodeFault(`the payload has more than ${String(maxBytes)} bytes, decompressed`)
}

export function tooDeep(maxDepth: number): DecodeFault {
  return new DecodeFault(`the payload is nested deeper than ${String(maxDepth)} levels`)
}

/** The encoding that a step which reads text is given. */
export const charset = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'Encoding, by its label of the web: UTF-8 (default), ISO-8859-1, ISO-8859-15, windows-1252, UTF-16LE …',
})

/**
 * The text of the input of a step. A byte order mark decides the encoding and is left out; then the
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
    throw new DecodeFault(`these bytes are not ${decoder.encoding} text`, { line })
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

const memberName = Type.String({ minLength: 1, maxLength: 255 })

export const MemberPath = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: 1000 }),
    Type.Array(memberName, { minItems: 1, maxItems: 50 }),
  ],
  {
    description:
      'Names of fields separated by dots, or a list of names; `*` is every element or field',
  },
)
export type MemberPath = Static<typeof MemberPath>

/** Every element of a list, every field of an object. */
const every = '*'

/**
 * A decoded value in which the fields of a path are decoded, too. A field that is absent, null or no
 * text is left as it is: some providers send what is usually text as an object. Where `*` goes through
 * a list, an element with a broken field is reported and left out.
 * @throws DecodeFault with the pointer to the field that is broken
 */
export function decodeAt(
  value: unknown,
  { path, decode }: { readonly path: MemberPath; readonly decode: (text: string) => unknown },
  decoding: Decoding,
): unknown {
  const names = typeof path === 'string' ? path.split('.') : path
  return replaceAt(value, { names, pointer: '', decode }, decoding)
}

type Way = {
  readonly names: readonly string[]
  /** To the value that is examined. */
  readonly pointer: string
  readonly decode: (text: string) => unknown
}

function replaceAt(value: unknown, way: Way, decoding: Decoding): unknown {
  const { names, pointer, decode } = way
  const [name, ...rest] = names
  if (name === undefined) {
    return typeof value === 'string' ? placed({ pointer }, () => decode(value)) : value
  }
  const inside = (key: string): Way => ({
    names: rest,
    pointer: pointerTo(pointer, key),
    decode,
  })
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    return name === every ? replaceInList(list, inside, decoding) : list
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      name === every || key === name ? replaceAt(member, inside(key), decoding) : member,
    ]),
  )
}

function replaceInList(
  list: readonly unknown[],
  inside: (key: string) => Way,
  decoding: Decoding,
): unknown[] {
  const kept: unknown[] = []
  for (const [index, element] of list.entries()) {
    try {
      kept.push(replaceAt(element, inside(String(index)), decoding))
    } catch (error) {
      if (!(error instanceof DecodeFault)) throw error
      decoding.reportBroken(error)
    }
  }
  return kept
}
