import type { ScopeNames } from '../../admin/index.ts'
import type { Entity } from '../../content/index.ts'
import { suggest } from '../../lang/index.ts'
import { isObject, pointerTo } from '../../lang/json.ts'
import type { Part, Pipeline } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { availabilityKind, contentKind } from './content.ts'
import { kindOf, refuse, defaultMaxBatch } from './kind.ts'
import type { Kind, PlacedObject } from './kind.ts'
import {
  dataTypesKind,
  deletionKind,
  measurementsKind,
  edgesKind,
  eventsKind,
  stationsKind,
} from './timeseries.ts'

/** Returns all canonical formats. */
export function canonicalKinds(entities: readonly Entity[]): readonly Kind[] {
  return [
    contentKind(entities),
    stationsKind,
    dataTypesKind,
    measurementsKind,
    edgesKind,
    eventsKind,
    availabilityKind,
    deletionKind,
  ]
}

/** Returns the names to which push permissions can be limited. */
export function scopeNamesOf(entities: readonly Entity[]): ScopeNames {
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)
  return { kinds: names(canonicalKinds(entities)), entities: names(entities) }
}

/** Neighbouring lines that may be stored together; at least one. */
type Run = readonly [Decoded, ...Decoded[]]

/**
 * Groups adjacent lines that differ only in `items` and `delete`, so that a file with one record
 * per line needs no more statements than one with many. Any other line is a group of its own.
 */
export function* inRuns(
  decoded: Iterable<Decoded>,
  kinds: ReadonlyMap<string, Pick<Kind, 'maxBatch'>>,
): Iterable<Run> {
  let run: [Decoded, ...Decoded[]] | undefined
  let head: string | undefined
  let weight = 0
  for (const one of decoded) {
    const [ownHead, ownWeight] = [headOf(one), weightOf(one)]
    const isOfRun = ownHead !== undefined && ownHead === head
    const most = kinds.get(kindOf(toObject(one)))?.maxBatch ?? defaultMaxBatch
    if (run !== undefined && isOfRun && weight + ownWeight <= most) {
      run.push(one)
      weight += ownWeight
    } else {
      if (run !== undefined) yield run
      ;[run, head, weight] = [[one], ownHead, ownWeight]
    }
  }
  if (run !== undefined) yield run
}

/**
 * Returns what the lines of a run have in common. Undefined for anything that is not an object,
 * repeats a field, or is nested more deeply than any kind.
 */
function headOf(decoded: Decoded): string | undefined {
  const object = toObject(decoded)
  if (object === undefined || ('repeated' in decoded && decoded.repeated !== undefined)) {
    return undefined
  }
  const { items: _items, delete: _deletions, ...head } = object
  // Deeply nested values cannot be serialized again.
  const isFlat = Object.values(head).every(
    (member) =>
      typeof member !== 'object' || member === null || Object.values(member).every(isScalar),
  )
  return isFlat ? JSON.stringify(head) : undefined
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** Returns how much a line counts towards the size of a run. A line without items counts, too. */
function weightOf(decoded: Decoded): number {
  const { items, delete: deletions } = toObject(decoded) ?? {}
  return 1 + lengthOf(items) + lengthOf(deletions)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

function toObject(decoded: Decoded): Readonly<Partial<Record<string, unknown>>> | undefined {
  if (decoded.kind === 'broken') return undefined
  return isObject(decoded.value) ? decoded.value : undefined
}

/**
 * Creates the pipeline of the canonical formats: JSON or NDJSON of objects with a known `kind`, on
 * any stream (decision D51a). A body without any such object is not for this pipeline. If there is
 * one, all other lines are rejected.
 */
export function canonicalPipeline(kinds: readonly Kind[]): Pipeline {
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  return {
    id: 'canonical',
    nearly: (body) => nearlyCanonical(body, [...known.keys()]),
    read: (body) => {
      const decoded = decodeJson(body)
      if (!decoded.some((part) => part.kind === 'value' && known.has(kindOf(part.value)))) {
        return { kind: 'foreign', fault: whyForeign(body, decoded, [...known.keys()]) }
      }
      return { kind: 'read', parts: checkRuns(known, decoded) }
    },
  }
}

function* checkRuns(known: ReadonlyMap<string, Kind>, decoded: readonly Decoded[]): Iterable<Part> {
  for (const run of inRuns(decoded, known)) yield checkRun(known, run)
}

function checkRun(known: ReadonlyMap<string, Kind>, run: Run): Part {
  const [first] = run
  const lines = run.map(({ line }) => line)
  if (first.kind === 'broken') return refuse([{ reason: first.reason }], lines)
  if (first.repeated !== undefined) {
    const reason = 'is written more than once in this object; nothing of it is stored'
    return refuse([{ pointer: pointerTo('', first.repeated), reason }], lines)
  }
  const written = kindOf(first.value)
  const kind = known.get(written)
  if (kind === undefined) {
    return refuse([{ pointer: '/kind', reason: unknownKind(written, [...known.keys()]) }], lines)
  }
  return kind.checkTogether(run.flatMap(toPlaced))
}

function toPlaced(decoded: Decoded): readonly PlacedObject[] {
  if (decoded.kind === 'broken') return []
  const { value, line } = decoded
  return typeof value === 'object' && value !== null ? [{ message: value, line }] : []
}

/** A part of a message: a JSON value or broken text, with its line if the message is NDJSON. */
export type Decoded =
  | {
      readonly kind: 'value'
      readonly value: unknown
      readonly line: number | undefined
      /** A field that an object with a kind has more than once. `value` has only the last one. */
      readonly repeated?: string | undefined
    }
  | { readonly kind: 'broken'; readonly reason: string; readonly line: number | undefined }

const newline = 0x0a

/**
 * Parses the JSON values of a message: one value, or NDJSON with one per line. A line that is not
 * UTF-8 or not JSON is broken, with a reason, and does not affect the others. Nothing is guessed or
 * repaired.
 */
export function decodeJson(body: Uint8Array): readonly Decoded[] {
  const lines = linesOf(body)
  const lead = decode(lines[0] ?? body, 1)
  // A first line that is a value by itself is parsed once, and so are the lines after it.
  if (lead?.kind === 'value') {
    const isWhole = !lines.some((line, index) => index > 0 && line.some(isVisible))
    if (isWhole) return [{ ...lead, line: undefined }]
  } else {
    const whole = decode(body, undefined)
    if (whole?.kind === 'value') return [whole]
  }
  return lines.flatMap((line, index) => (index === 0 ? lead : decode(line, index + 1)) ?? [])
}

/** Reports whether a byte is not JSON white space (RFC 8259, section 2). */
function isVisible(byte: number): boolean {
  return byte !== 0x20 && byte !== 0x0d && byte !== 0x09
}

/** Decodes a line or a whole body. Returns undefined if it is blank. */
function decode(bytes: Uint8Array, line: number | undefined): Decoded | undefined {
  const text = toText(bytes)
  if (text === undefined) return { kind: 'broken', reason: notUtf8(bytes), line }
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return { kind: 'value', value, line, ...(mayRepeat(text, value) && repeatedIn(text)) }
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    return { kind: 'broken', reason: `is not JSON: ${why}`, line }
  }
}

/** More fields than any kind has: searching for each of them would take long. */
const manyFields = 30

/**
 * Reports whether an object with a kind may have a field twice: a name occurs again in its text, or
 * may be written with escapes. This is much faster than parsing the text.
 */
function mayRepeat(text: string, value: unknown): boolean {
  if (!isObject(value) || kindOf(value) === '') return false
  const names = Object.keys(value)
  if (names.length > manyFields || text.includes('\\u')) return true
  return names.some((name) => {
    const written = JSON.stringify(name)
    return text.includes(written, text.indexOf(written) + 1)
  })
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const isOpening = (code: number) => code === 0x7b || code === 0x5b
const isClosing = (code: number) => code === 0x7d || code === 0x5d

/** Finds a field that the outermost object of a valid JSON text has more than once. */
function repeatedIn(text: string): { readonly repeated?: string } {
  const names = new Set<string>()
  let [depth, isName] = [0, true]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfText(text, at)
      if (depth === 1 && isName) {
        const name = String(JSON.parse(text.slice(at, end + 1)))
        if (names.has(name)) return { repeated: name }
        names.add(name)
        isName = false
      }
      at = end
    } else if (isOpening(code)) depth += 1
    else if (isClosing(code)) depth -= 1
    else if (code === comma && depth === 1) isName = true
  }
  return {}
}

/** Returns the position of the quotation mark that ends the string starting at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
}

/** Byte order marks of UTF-16. */
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

/**
 * Splits bytes into lines before they are decoded: no multi-byte character of UTF-8 contains the
 * byte of a newline.
 */
function linesOf(body: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let start = 0; start <= body.length;) {
    const end = body.indexOf(newline, start)
    lines.push(body.subarray(start, end === -1 ? body.length : end))
    start = end === -1 ? body.length + 1 : end + 1
  }
  return lines
}

/** Returns the reason for rejecting an unknown `kind`. */
export function unknownKind(written: string, kinds: readonly string[]): string {
  return `is not a known kind; ${suggest(written, kinds, `known: ${kinds.join(', ')}`)}`
}

/** Returns why a body is not in a canonical format: the first fault of it. */
export function whyForeign(
  body: Uint8Array,
  decoded: readonly Decoded[],
  kinds: readonly string[],
): Rejection {
  const text = decoded[0]?.kind === 'broken' ? toText(body) : undefined
  const broken = text === undefined ? undefined : whyBroken(text)
  if (broken !== undefined) return { index: null, ...broken }
  const first = decoded.find(({ kind }) => kind === 'value') ?? decoded[0]
  if (first === undefined) return { index: null, reason: 'is empty' }
  const place = { index: null, ...(first.line === undefined ? {} : { line: first.line }) }
  if (first.kind === 'broken') return { ...place, reason: first.reason }
  const { value } = first
  if (!isObject(value)) {
    return { ...place, reason: 'is not an object with kind and items' }
  }
  return {
    ...place,
    pointer: '/kind',
    reason: kindFault(value['kind'], kinds),
  }
}

/** Returns the syntax error, and its line, of a text without a JSON value on its first line. */
function whyBroken(text: string): Pick<Rejection, 'line' | 'reason'> | undefined {
  const reason = syntaxFault(text)
  if (reason === undefined) return undefined
  const line = /\(line (\d+) column/.exec(reason)?.[1]
  return { line: line === undefined ? lineOfFault(text.trimEnd()) : Number(line), reason }
}

function syntaxFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : ''}`
  }
}

/**
 * Returns the first line with which a text can no longer be the start of a JSON value, or the last
 * line.
 */
function lineOfFault(text: string): number {
  const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index)
  let [least, most] = [1, ends.length]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (isBeginning(text.slice(0, ends[middle - 1]))) least = middle + 1
    else most = middle
  }
  return least
}

/** Reports whether a text is valid JSON except that it ends too early. */
function isBeginning(text: string): boolean {
  const reason = syntaxFault(text) ?? ''
  const position = /at position (\d+)/.exec(reason)?.[1]
  return position === undefined
    ? reason.endsWith('end of JSON input')
    : Number(position) === text.length
}

function kindFault(written: unknown, kinds: readonly string[]): string {
  if (written === undefined) return `is required; known: ${kinds.join(', ')}`
  return unknownKind(typeof written === 'string' ? written : JSON.stringify(written), kinds)
}

/** Bytes of a body that are examined before it is acknowledged. */
const beginning = 65_536

/**
 * Returns what is wrong with a body that was meant to be canonical, judging by its start: an object
 * with an unknown kind, or with a list under `items` and no kind. It takes microseconds, so that a
 * sender learns of it with the 200.
 */
export function nearlyCanonical(body: Uint8Array, kinds: readonly string[]): Rejection | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { kind, items } = firstMembers(bytes.toString('utf8', 0, beginning))
  if (kind !== undefined) {
    const written = kind.slice(1, -1)
    if (kinds.includes(written)) return undefined
    return { index: null, pointer: '/kind', reason: unknownKind(written, kinds) }
  }
  if (items !== '[' || bytes.includes('"kind"')) return undefined
  return { index: null, pointer: '/kind', reason: kindFault(undefined, kinds) }
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/**
 * Returns the string at `kind` and the first token at `items` of the first object in a JSON text.
 */
function firstMembers(text: string): { readonly kind?: string; readonly items?: string } {
  const members = new Map<string, string>()
  if (!/^\s*\{/.test(text)) return {}
  let [depth, before, name] = [0, '', '']
  for (const [one] of text.matchAll(token)) {
    if (depth === 1 && before === ':') members.set(name, one)
    if (depth === 1 && (before === '{' || before === ',')) name = one
    if (one === '{' || one === '[') depth += 1
    if (one === '}' || one === ']') depth -= 1
    if (depth === 0) break
    before = one
  }
  const [kind = '', items] = [members.get('"kind"'), members.get('"items"')]
  return { ...(kind.startsWith('"') && { kind }), ...(items !== undefined && { items }) }
}
