import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { pointerTo } from '../../../lang/json.ts'

/** Place of a fault in a payload, as far as it is known. */
export type DecodePlace = {
  /** Name of the step that found the fault. */
  readonly step?: string | undefined
  /** Line and column, both counted from 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** JSON pointer (RFC 6901) to the field that could not be decoded. */
  readonly pointer?: string | undefined
}

/** Why a payload cannot be decoded, and where. Decoding throws nothing else. */
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

/** Runs a step, and adds its name to faults unless they already name an inner step. */
export function named<Result>(step: string, run: () => Result): Result {
  return placed({ step }, run)
}

/** Runs a part of the decoding, and adds its place to faults. */
export function placed<Result>(place: DecodePlace, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof DecodeFault)
      throw new DecodeFault(error.reason, { ...place, ...error.place })
    throw error
  }
}

/** Prints a place such as `xml, at /rawdata, line 3, column 7: `, or an empty string. */
function printPlace({ step, pointer, line, column }: DecodePlace): string {
  const parts = [
    step,
    pointer === undefined ? undefined : `at ${pointer}`,
    line === undefined ? undefined : `line ${String(line)}`,
    column === undefined ? undefined : `column ${String(column)}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? '' : `${parts.join(', ')}: `
}

/** Returns a part of a payload for an error message: short, on one line. */
export function shown(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return JSON.stringify(short)
}

/** A line, row or list element that cannot be decoded although others can. */
export type BrokenItem = {
  readonly reason: string
  /** Line in the text that the step read, counted from 1. */
  readonly line?: number | undefined
  /** JSON pointer to the field that could not be decoded. */
  readonly pointer?: string | undefined
}

export type DecodeLimits = {
  /** Maximum bytes of a payload, and of everything unpacked from it together. */
  readonly maxBytes: number
  /** Maximum nesting of lists, objects and elements. */
  readonly maxDepth: number
  /**
   * Receives the items that are left out because they are broken. Without it, a broken item fails
   * the payload.
   */
  readonly reportBroken?: ((broken: BrokenItem) => void) | undefined
}

/** State of the limits while a payload is decoded. */
export type Decoding = {
  readonly maxDepth: number
  /** Returns the number of bytes that may still be unpacked. */
  readonly left: () => number
  /**
   * Counts unpacked bytes.
   * @throws DecodeFault if there are more bytes than left
   */
  readonly spend: (bytes: number) => void
  /** @throws DecodeFault if broken items are not reported, or there are too many */
  readonly reportBroken: (fault: DecodeFault) => void
}

/**
 * Maximum number of broken items. Each costs as much as many valid ones, and nobody reads so many.
 */
const maxBroken = 100_000

/** @throws DecodeFault if the body itself is too large */
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
      // If too many bytes were unpacked, the item itself is not broken.
      if (reportBroken === undefined || left < 0) throw fault
      broken += 1
      if (broken > maxBroken) throw tooBroken(fault)
      const { line, pointer } = fault.place
      reportBroken({ reason: fault.message, line, pointer })
    },
  }
}

function tooBroken({ message }: DecodeFault): DecodeFault {
  return new DecodeFault(
    `more than ${String(maxBroken)} items of the payload are broken, such as ${message}`,
  )
}

function tooLarge(maxBytes: number): DecodeFault {
  return new DecodeFault(`the payload has more than ${String(maxBytes)} bytes, decompressed`)
}

export function tooDeep(maxDepth: number): DecodeFault {
  return new DecodeFault(`the payload is nested deeper than ${String(maxDepth)} levels`)
}

/** Option for the encoding of the text that a step reads. */
export const charset = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'Encoding, by its label of the web: UTF-8 (default), ISO-8859-1, ISO-8859-15, windows-1252, UTF-16LE …',
})

/**
 * Returns the input of a step as text. A byte order mark determines the encoding and is removed;
 * otherwise the charset of the step does.
 * @param charset an encoding label of the web (UTF-8, ISO-8859-15, windows-1252, UTF-16LE …)
 * @throws DecodeFault for bytes that are not valid in this encoding, and for input that is neither
 *   bytes nor text
 */
export function toText(input: unknown, charset = 'utf-8'): string {
  if (typeof input === 'string') return input.startsWith('\uFEFF') ? input.slice(1) : input
  return decodeBytes(toBytes(input), charset)
}

/** @throws DecodeFault if the input is already decoded */
export function toBytes(input: unknown): Uint8Array {
  if (input instanceof Uint8Array) return input
  if (typeof input === 'string') return Buffer.from(input)
  throw new DecodeFault(`needs bytes or text, but gets ${kindOf(input)}`)
}

/** Reports whether there is an encoding with this label. */
export function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement'
  } catch {
    return false
  }
}

/** Returns the encoding of a byte order mark: UTF-8 or UTF-16. */
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

/**
 * Returns the first line that is not UTF-8. The bytes are split into lines before they are decoded:
 * no multi-byte character of UTF-8 contains the byte of a newline.
 */
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

/** Matches every element of a list and every field of an object. */
const every = '*'

/**
 * Decodes the fields at a path of a decoded value. A field that is missing, null or not a string
 * stays as it is, because some providers send what is usually a string as an object. Where `*`
 * matches the elements of a list, an element with a broken field is reported and left out.
 * @throws DecodeFault with the pointer to the broken field
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
  /** JSON pointer to the value that is being decoded. */
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
