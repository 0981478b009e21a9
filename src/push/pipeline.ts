import type { Transaction } from '../storage/index.ts'
import type { Rejection } from './rejection.ts'
import type { Pushed } from './check-scope.ts'

/** Why a message waits that nothing reads yet: a mapping may be made for its stream (decision D51a). */
export const noPipeline = 'no pipeline'

/** How the reason of a message begins that is tried again for what it refers to. */
export const waitsUntil = 'waits until '

function waitingUntil(moment: Date): string {
  return `${waitsUntil}${moment.toISOString()} for stations or data types that are not known yet: rejected names them`
}

/** Where an outcome leaves a message, and why where the state alone does not say it. */
type Ending = {
  readonly state: 'accepted' | 'visible' | 'rejected' | 'empty'
  readonly reason: string | null
}

/** A message of which nothing could be taken is rejected; one in which there was nothing is empty. */
export function endingOf({ stored, rejected, mapping, unread, waits }: Stored): Ending {
  if (waits !== undefined) return { state: 'accepted', reason: waitingUntil(waits) }
  if (unread !== undefined) return { state: 'accepted', reason: noPipeline }
  if (stored > 0) return { state: 'visible', reason: null }
  if (rejected.length > 0) return { state: 'rejected', reason: null }
  const found =
    mapping === undefined ? 'it has no items' : `the mapping ${mapping.name} found no items in it`
  return { state: 'empty', reason: found }
}

/** What storing needs to know about the message beyond its content. */
export type Saving = Pushed & {
  /** When the hub got the message, or the time that an ADMIN gave instead (`recorded`). */
  readonly received: Date
  /** First segment of the stream's path. */
  readonly provider: string
  /**
   * Identifier of the message, for records that keep where they came from; undefined when it is not
   * kept. Called only where it is needed.
   */
  readonly keptAs?: (() => Promise<string>) | undefined
  /** The mapping that made the object, and which item of the payload each of its items was made of. */
  readonly mapping?: {
    readonly name: string
    readonly version: string
    readonly sources: readonly (number | null)[]
  }
}

/** The mapping that took a message, as the receipt and the provenance name it. */
type MappingName = {
  readonly name: string
  readonly version: string
  /** Of its files, in hexadecimal digits. */
  readonly sha256: string
}

export type Stored = {
  readonly stored: number
  readonly rejected: readonly Rejection[]
  /** What was taken, though it is of another type than usual (decision D66). */
  readonly warnings?: readonly Rejection[]
  /** The mapping that took it; undefined when it is in a canonical format. */
  readonly mapping?: MappingName
  /** Whether some were rejected only because what they refer to is not known yet. */
  readonly awaits?: boolean
  /** Until when it is tried again for that; what was taken is stored already. */
  readonly waits?: Date
  /** Why no pipeline reads the body: it waits for one, and nothing of it is stored. */
  readonly unread?: Rejection
}

/** Objects of a message that are stored together: checked, their bad items refused already. */
export type Part = {
  /**
   * Where the objects stood that are sound beside their items, counted from 1; undefined when the
   * message was no NDJSON.
   */
  readonly lines: readonly (number | undefined)[]
  /** In the order of the lines; so are those of `store`. */
  readonly rejected: readonly Rejection[]
  readonly warnings?: readonly Rejection[]
  /** Transaction time that the part claims for its data; only an ADMIN may. */
  readonly recorded: string | undefined
  readonly store: (tx: Transaction, saving: Saving) => Promise<Stored>
}

export type Reading =
  /** Each part is checked when its turn comes, so that only one is in memory. */
  | { readonly kind: 'read'; readonly parts: Iterable<Part> }
  /** Not a body for this pipeline, and what keeps it from being one. */
  | { readonly kind: 'foreign'; readonly fault: Rejection }

/** A message of a stream with a mapping. */
export type MappedMessage = {
  readonly body: Uint8Array
  readonly stream: string
  readonly received: Date
  readonly contentType: string | null
}

/** What its mapping made of a message; `parts` may be requested again after a failure. */
export type EvaluatedMessage = {
  /** Fields of canonical objects that have a value in some item. */
  readonly members: readonly string[]
  readonly mapping: MappingName
  readonly parts: () => Iterable<Part>
}

/**
 * The mappings of streams. Evaluating takes its time outside of this thread, so it comes before the
 * transaction that stores: it must not hold up others.
 */
export type Mappings = {
  /** Seconds that evaluating a message of the stream takes at most; undefined when it has no mapping. */
  readonly secondsFor: (stream: string) => number | undefined
  /** @throws Error when the mapping cannot be evaluated by no fault of the message */
  readonly evaluate: (message: MappedMessage) => Promise<EvaluatedMessage>
  /**
   * The same for a dry run, of which only some may wait.
   * @throws AppError HUB-SRV-007, and what `evaluate` throws
   */
  readonly evaluateTrial: (message: MappedMessage) => Promise<EvaluatedMessage>
  readonly close: () => Promise<void>
}

/** Turns the body of a message into what can be stored. Pure: the same body gives the same parts. */
export type Pipeline = {
  readonly id: string
  readonly read: (body: Uint8Array) => Reading
  /** What is wrong with a body that was meant for it, as far as its beginning shows: within microseconds. */
  readonly nearly?: (body: Uint8Array) => Rejection | undefined
}

/** A part of a message: a JSON value or what is none, and its line when the message was NDJSON. */
export type Decoded =
  | { readonly kind: 'value'; readonly value: unknown; readonly line: number | undefined }
  | { readonly kind: 'broken'; readonly reason: string; readonly line: number | undefined }

const newline = 0x0a

/**
 * The JSON values of a message: one value, or NDJSON with one per line. A line that is not UTF-8 or not
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
