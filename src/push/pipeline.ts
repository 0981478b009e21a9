import { ownOnly } from '../access/index.ts'
import type { PushScope } from '../access/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Pushed } from './check-scope.ts'
import { onLine } from './rejection.ts'
import type { Rejection } from './rejection.ts'

/** Why a message waits that nothing reads yet: a mapping may be made for its stream (decision D51a). */
const noPipeline = 'no pipeline'

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

type Patience = {
  /** Milliseconds that a message waits for what it refers to; it does not wait where it is left out. */
  readonly patience?: number
  readonly now: () => Date
}

/** The outcome of a message that may wait for what it refers to. On an ordered stream others would wait behind it. */
export function waitingIfPatient(
  outcome: Stored,
  { received, isOrdered }: { readonly received: Date; readonly isOrdered: boolean },
  { patience = 0, now }: Patience,
): Stored {
  const until = new Date(received.getTime() + patience)
  const mayWait = outcome.awaits === true && !isOrdered && now() < until
  return mayWait ? { ...outcome, waits: until } : outcome
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

/** Where a body comes from, as far as storing it needs to know. */
type Origin = {
  /** `provider/dataset` */
  readonly stream: string
  readonly received: Date
  /** Whether the sender may do everything, and set the transaction time of its data (role ADMIN). */
  readonly mayBackdate: boolean
  /** What the sender's permission covers; only what the stream itself wrote when it is left out. */
  readonly scope?: PushScope | undefined
  /** Identifier of the message, for what points back to it; absent when it is not kept. */
  readonly keptAs?: () => Promise<string>
  /** Rejections, and warnings, that are listed at most; the others are counted. */
  readonly listed?: number
}

/**
 * Takes a body apart and stores what is good in it. Push, import and the demo all come through here.
 */
export async function storeBody(
  tx: Transaction,
  pipelines: readonly Pipeline[],
  { body, ...origin }: Origin & { readonly body: Uint8Array },
): Promise<Stored> {
  const reading = readBody(pipelines, body)
  if (reading.kind === 'read') return storeParts(tx, reading.parts, origin)
  return { stored: 0, rejected: [], unread: reading.fault, warnings: [reading.fault] }
}

/** Stores what a body was taken apart into. */
export async function storeParts(
  tx: Transaction,
  parts: Iterable<Part>,
  origin: Origin,
): Promise<Stored> {
  let [stored, awaits] = [0, false]
  const { listed = mostListed } = origin
  const rejected = boundedList('rejections', listed)
  const warnings = boundedList('warnings', listed)
  for (const part of parts) {
    const outcome = await storePart(tx, part, origin)
    stored += outcome.stored
    awaits ||= outcome.awaits === true
    rejected.add(outcome.rejected)
    warnings.add(outcome.warnings ?? [])
  }
  return { stored, rejected: rejected.all(), warnings: warnings.all(), awaits }
}

/** Collects what a receipt lists, and counts what is too much for it. */
function boundedList(what: string, most: number) {
  const listed: Rejection[] = []
  let unlisted = 0
  return {
    add: (more: readonly Rejection[]) => {
      const some = more.slice(0, most - listed.length)
      unlisted += more.length - some.length
      for (const one of some) listed.push(one)
    },
    all: (): readonly Rejection[] => {
      const reason = `${String(unlisted)} more ${what} are not listed`
      return unlisted === 0 ? listed : [...listed, { index: null, reason }]
    },
  }
}

/** A receipt is read by people and programs: some hundred kilobytes. */
const mostListed = 1_000

/** What the first pipeline that reads a body makes of it. */
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
  reason: 'lies in the future: until then, no message replaces what this one wrote',
}

function refuseToBackdate({ lines, rejected }: Part): Stored {
  const reason = 'may only be given by a caller with the role ADMIN'
  const refused = { index: null, pointer: '/recorded', reason }
  const others = rejected.filter(({ line }) => !lines.includes(line))
  const all = [...others, ...lines.map((line) => onLine(refused, line))]
  return { stored: 0, rejected: all.sort(byLine) }
}

/** Of one line, what checking refused comes before what storing refused. */
function byLine(one: Rejection, other: Rejection): number {
  return (one.line ?? 0) - (other.line ?? 0)
}
