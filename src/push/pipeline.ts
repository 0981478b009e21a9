import { ownOnly } from '../access/index.ts'
import type { PushScope } from '../access/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Pushed } from './check-scope.ts'
import { noteOfUnlisted, onLine } from './rejection.ts'
import type { Rejection } from './rejection.ts'

/**
 * Reason of a message that no pipeline reads. It waits because its stream may get a mapping
 * (decision D51a).
 */
const noPipeline = 'no pipeline'

/** Prefix of the reason of a message that is retried because it refers to something missing. */
export const waitsUntil = 'waits until '

function waitingUntil(moment: Date): string {
  return `${waitsUntil}${moment.toISOString()} for stations or data types that are not known yet: rejected names them`
}

/** State of a message after an attempt, with a reason if the state alone does not explain it. */
type Ending = {
  readonly state: 'accepted' | 'visible' | 'rejected' | 'empty'
  readonly reason: string | null
}

/**
 * Returns the state of a message after an attempt. It is `rejected` if none of its items could be
 * stored, and `empty` if it has no items.
 */
export function endingOf({ stored, rejected, mapping, unread, waits }: Stored): Ending {
  if (waits !== undefined) return { state: 'accepted', reason: waitingUntil(waits) }
  if (unread !== undefined) return { state: 'accepted', reason: noPipeline }
  if (stored > 0) return { state: 'visible', reason: null }
  if (rejected.length > 0) return { state: 'rejected', reason: null }
  const found =
    mapping === undefined ? 'it has no items' : `the mapping ${mapping.name} found no items in it`
  return { state: 'empty', reason: found }
}

type Patience = {
  /**
   * Milliseconds that a message waits for missing stations or data types. Without it, it does not
   * wait.
   */
  readonly patience?: number
  readonly now: () => Date
}

/**
 * Marks the outcome of a message as waiting if something that it refers to is missing and may still
 * arrive. Messages of an ordered stream never wait, because they would block those behind them.
 */
export function waitingIfPatient(
  outcome: Stored,
  { received, isOrdered }: { readonly received: Date; readonly isOrdered: boolean },
  { patience = 0, now }: Patience,
): Stored {
  const until = new Date(received.getTime() + patience)
  const mayWait = outcome.awaits === true && !isOrdered && now() < until
  return mayWait ? { ...outcome, waits: until } : outcome
}

/** What storing needs to know about a message in addition to its content. */
export type Saving = Pushed & {
  /** When the hub received the message, or the time that an ADMIN gave instead (`recorded`). */
  readonly received: Date
  /** First segment of the stream's path. */
  readonly provider: string
  /**
   * Returns the identifier of the message, for records that store where they came from. Undefined
   * if the message is not kept. Called only if needed.
   */
  readonly keptAs?: (() => Promise<string>) | undefined
  /**
   * The mapping that made the object, and for each of its items the payload item it was made from.
   */
  readonly mapping?: {
    readonly name: string
    readonly version: string
    readonly sources: readonly (number | null)[]
  }
}

/** The mapping that processed a message, as named in receipts and provenance. */
type MappingName = {
  readonly name: string
  readonly version: string
  /** Digest of its files, in hexadecimal digits. */
  readonly sha256: string
}

export type Stored = {
  readonly stored: number
  readonly rejected: readonly Rejection[]
  /** Fields that were stored although they are not of the usual type (decision D66). */
  readonly warnings?: readonly Rejection[]
  /** The mapping that processed the message. Undefined if it is in a canonical format. */
  readonly mapping?: MappingName
  /** Whether some items were rejected only because what they refer to does not exist yet. */
  readonly awaits?: boolean
  /** Until when the message is retried for these items. The accepted ones are already stored. */
  readonly waits?: Date
  /** Why no pipeline reads the body. The message waits for one, and nothing of it is stored. */
  readonly unread?: Rejection
}

/**
 * Objects of a message that are stored together. They are checked, and invalid items are already
 * rejected.
 */
export type Part = {
  /**
   * Lines of the objects that are valid apart from their items, counted from 1. Undefined if the
   * message is not NDJSON.
   */
  readonly lines: readonly (number | undefined)[]
  /** Rejections in the order of the lines, as are those of `store`. */
  readonly rejected: readonly Rejection[]
  /** Number of further rejections, which are counted because they are too many to be kept. */
  readonly unlisted?: number
  readonly warnings?: readonly Rejection[]
  /** Transaction time that the part states for its data. Only an ADMIN may state one. */
  readonly recorded: string | undefined
  readonly store: (tx: Transaction, saving: Saving) => Promise<Stored>
}

export type Reading =
  /** Each part is checked only when it is reached, so that only one is in memory. */
  | { readonly kind: 'read'; readonly parts: Iterable<Part> }
  /** The body is not in a format of this pipeline. `fault` states why. */
  | { readonly kind: 'foreign'; readonly fault: Rejection }

/** A message of a stream with a mapping. */
export type MappedMessage = {
  readonly body: Uint8Array
  readonly stream: string
  readonly received: Date
  readonly contentType: string | null
}

/** Result of a mapping for a message. `parts` may be called again after a failure. */
export type EvaluatedMessage = {
  /** Fields of canonical objects that have a value in some item. */
  readonly members: readonly string[]
  readonly mapping: MappingName
  readonly parts: () => Iterable<Part>
}

/**
 * The mappings of streams. Evaluation takes time, outside of this thread, so it is done before the
 * transaction that stores the result, which must not block others.
 */
export type Mappings = {
  /**
   * Returns the maximum seconds for evaluating a message of the stream. Undefined if it has no
   * mapping.
   */
  readonly secondsFor: (stream: string) => number | undefined
  /** @throws Error if the mapping cannot be evaluated, for a reason other than the message */
  readonly evaluate: (message: MappedMessage) => Promise<EvaluatedMessage>
  /**
   * Evaluates a message for a dry run, of which only a few may wait.
   * @throws AppError HUB-SRV-007, and whatever `evaluate` throws
   */
  readonly evaluateTrial: (message: MappedMessage) => Promise<EvaluatedMessage>
  readonly close: () => Promise<void>
}

/** Parser of message bodies into parts to store. Pure: the same body gives the same parts. */
export type Pipeline = {
  readonly id: string
  readonly read: (body: Uint8Array) => Reading
  /**
   * Returns what is wrong with a body that was meant for this pipeline, judging by its start. Takes
   * microseconds.
   */
  readonly nearly?: (body: Uint8Array) => Rejection | undefined
}

/** Where a body comes from, as far as storing it requires. */
type Origin = {
  /** `provider/dataset` */
  readonly stream: string
  readonly received: Date
  /**
   * Whether the sender may write everything, and set the transaction time of its data (role ADMIN).
   */
  readonly mayBackdate: boolean
  /** What the permission of the sender covers. Default: only what the stream itself wrote. */
  readonly scope?: PushScope | undefined
  /**
   * Returns the identifier of the message, for records that refer to it. Missing if it is not kept.
   */
  readonly keptAs?: () => Promise<string>
  /** Maximum number of listed rejections, and of listed warnings. The rest is counted. */
  readonly listed?: number
}

/** Parses a body and stores its valid items. Push, import and the demo all use this. */
export async function storeBody(
  tx: Transaction,
  pipelines: readonly Pipeline[],
  { body, ...origin }: Origin & { readonly body: Uint8Array },
): Promise<Stored> {
  const reading = readBody(pipelines, body)
  if (reading.kind === 'read') return storeParts(tx, reading.parts, origin)
  return { stored: 0, rejected: [], unread: reading.fault, warnings: [reading.fault] }
}

/** Stores the parts of a body. */
export async function storeParts(
  tx: Transaction,
  parts: Iterable<Part>,
  origin: Origin,
): Promise<Stored> {
  let [stored, awaits] = [0, false]
  const { listed = maxListed } = origin
  const rejected = boundedList('rejections', listed)
  const warnings = boundedList('warnings', listed)
  for (const part of parts) {
    const outcome = await storePart(tx, part, origin)
    stored += outcome.stored
    awaits ||= outcome.awaits === true
    rejected.add(outcome.rejected, part.unlisted)
    warnings.add(outcome.warnings ?? [])
  }
  return { stored, rejected: rejected.all(), warnings: warnings.all(), awaits }
}

/** Collects the entries that a receipt lists, and counts the rest. */
function boundedList(what: 'rejections' | 'warnings', most: number) {
  const listed: Rejection[] = []
  let unlisted = 0
  return {
    add: (more: readonly Rejection[], further = 0) => {
      const some = more.slice(0, most - listed.length)
      unlisted += more.length - some.length + further
      for (const one of some) listed.push(one)
    },
    all: (): readonly Rejection[] => [...listed, ...noteOfUnlisted(unlisted, what)],
  }
}

/**
 * Maximum number of rejections, and of warnings, in a receipt: some hundred kilobytes for people
 * and programs to read.
 */
const maxListed = 1_000

/** Reads a body with the first pipeline that supports it. */
export function readBody(pipelines: readonly Pipeline[], body: Uint8Array): Reading {
  let foreign: Reading = { kind: 'foreign', fault: { index: null, reason: noPipeline } }
  for (const pipeline of pipelines) {
    const reading = pipeline.read(body)
    if (reading.kind === 'read') return reading
    foreign = reading
  }
  return foreign
}

async function storePart(tx: Transaction, part: Part, origin: Origin): Promise<Stored> {
  if (part.recorded !== undefined && !origin.mayBackdate) return refuseToBackdate(part)
  const received = part.recorded === undefined ? origin.received : new Date(part.recorded)
  const [provider = ''] = origin.stream.split('/')
  const { stream, keptAs, mayBackdate, scope = ownOnly } = origin
  const pushed = { stream, scope: mayBackdate ? undefined : scope }
  const saving = { ...pushed, received, provider, keptAs }
  const outcome = await part.store(tx, saving)
  const { rejected, warnings = [] } = outcome
  const ahead = received > origin.received ? part.lines.map((line) => onLine(inFuture, line)) : []
  return {
    ...outcome,
    rejected: [...part.rejected, ...rejected].sort(byLine),
    warnings: [...ahead, ...(part.warnings ?? []), ...warnings].sort(byLine),
  }
}

const inFuture: Rejection = {
  index: null,
  pointer: '/recorded',
  reason: 'is in the future: until then, other messages cannot replace what this one wrote',
}

function refuseToBackdate({ lines, rejected }: Part): Stored {
  const reason = 'may only be given by a caller with the role ADMIN'
  const refused = { index: null, pointer: '/recorded', reason }
  const others = rejected.filter(({ line }) => !lines.includes(line))
  const all = [...others, ...lines.map((line) => onLine(refused, line))]
  return { stored: 0, rejected: all.sort(byLine) }
}

/**
 * Compares rejections by line. Sorting is stable, so on one line those of the check stay before
 * those of storing.
 */
function byLine(one: Rejection, other: Rejection): number {
  return (one.line ?? 0) - (other.line ?? 0)
}
