import { atOnce } from '../async/index.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import {
  element,
  printElement,
  toElement,
  toXml,
  toXmlCharacters,
  version2,
} from '../datex/index.ts'
import type { PrintedElement, XmlElement } from '../datex/index.ts'
import { boundariesOf, instantOf, phaseAt } from './lifetime.ts'
import type { Phase } from './lifetime.ts'
import { toCandidate, toSituation } from './situation.ts'
import type { Candidate, Exclusion, Supplier } from './situation.ts'

/** An event and its state in the feed at a moment. */
export type WrittenEvent = {
  readonly event: MobilityEvent
  /** Distinguishes this state of the event from any other one. */
  readonly fingerprint: string
  /** Undefined if the event cannot be a situation. */
  readonly candidate: Candidate | undefined
  readonly lacks: Exclusion | undefined
  readonly phase: Phase
  /** Undefined if the event is not, or no longer, in the feed. */
  readonly situation: PrintedElement | undefined
  /** What was left out or replaced while judging the event. `notes` also covers the writing. */
  readonly judged: readonly string[]
  readonly notes: readonly string[]
}

/** Events of the last document by the id of their situation. */
type Memory = ReadonlyMap<string, WrittenEvent>

type PublicationContext = { readonly supplier: Supplier; readonly now: number }

/** Writes an event, or returns what was written before if neither it nor its phase has changed. */
function writeEvent(
  event: MobilityEvent,
  context: PublicationContext,
  known: WrittenEvent | undefined,
): WrittenEvent {
  const fingerprint = JSON.stringify(event)
  if (known?.candidate !== undefined && known.fingerprint === fingerprint) {
    const { candidate } = known
    return phaseAt(candidate.lifetime, context.now) === known.phase
      ? known
      : write(candidate, context, known)
  }
  const notes: string[] = []
  const result = toCandidate(event, context.now, (detail) => notes.push(detail))
  const judgement = { event, fingerprint, judged: notes }
  if (typeof result === 'object') return write(result, context, judgement)
  const absent = { candidate: undefined, phase: 'gone', situation: undefined } as const
  return { ...judgement, ...absent, lacks: result, notes }
}

function write(
  candidate: Candidate,
  context: PublicationContext,
  { event, fingerprint, judged }: Pick<WrittenEvent, 'event' | 'fingerprint' | 'judged'>,
): WrittenEvent {
  const notes = new Set(judged)
  const element = toSituation(candidate, context, (detail) => notes.add(detail))
  return {
    event,
    fingerprint,
    judged,
    notes: [...notes],
    candidate,
    lacks: undefined,
    phase: phaseAt(candidate.lifetime, context.now),
    situation: element && printElement(element),
  }
}

/**
 * Writes an event that has left the feed once more, as ended or cancelled, for consumers that had
 * it.
 */
export function writeDeparted(left: WrittenEvent, context: PublicationContext): WrittenEvent {
  const { candidate } = left
  if (candidate === undefined) return left
  const { event, lifetime } = candidate
  const phase = event.cancelled ? 'cancelled' : 'ended'
  const end = event.end ?? new Date(boundariesOf(lifetime).at(-1) ?? context.now)
  return write(
    { ...candidate, event: { ...event, end }, lifetime: [{ phase, from: -Infinity }] },
    context,
    left,
  )
}

/** Returns the newest state of each series, sorted by the ids as they will be written. */
function newestStates(
  events: readonly MobilityEvent[],
): readonly (readonly [id: string, event: MobilityEvent])[] {
  const newest = new Map<string, MobilityEvent>()
  for (const event of events) {
    const id = toXmlCharacters(event.series)
    const known = newest.get(id)
    if (known === undefined || isNewer(event, known)) newest.set(id, event)
  }
  return [...newest].sort(([left], [right]) => (left < right ? -1 : 1))
}

function isNewer(event: MobilityEvent, known: MobilityEvent): boolean {
  if (event.version !== known.version) return event.version > known.version
  return event.recorded > known.recorded
}

/** A document and the events that it contains. */
export type Printed = {
  readonly xml: string
  /**
   * Time of the newest change of content: an event was written, or a start or end passed (decision
   * D55).
   */
  readonly publicationTime: Date
  /** Events by the id of their situation. */
  readonly written: Memory
}

/**
 * A SituationPublication of all situations, with every series and with figures about the document.
 */
export type Publication = Printed & {
  /** When the document changes by itself; undefined if only a new event can change it. */
  readonly nextBoundary: Date | undefined
  readonly situations: number
  /** Number of series that cannot be published, by what they are missing. */
  readonly leftOut: Readonly<Record<Exclusion, number>>
  /** What was left out or replaced inside published situations, for the log. */
  readonly notes: readonly string[]
}

type StepContext = {
  readonly supplier: Supplier
  readonly now: Date
  /** The previous document, to reuse what has not changed since. */
  readonly previous?: Publication
}

/**
 * Writes the events of one provider as a DATEX II v2 document. Whatever the events, it is valid
 * against the schema of version 2.3. The same events in the same phases give the same bytes on
 * every node: situations are sorted by id, and publicationTime depends on the events alone (but is
 * always after that of a previous document with other content).
 */
export function toPublication(events: readonly MobilityEvent[], context: StepContext): Publication {
  return atOnce(publicationSteps(events, context))
}

/**
 * Does the work of `toPublication` in small steps, so that the caller can let others run between
 * them.
 */
export function* publicationSteps(
  events: readonly MobilityEvent[],
  { supplier, now, previous }: StepContext,
): Generator<undefined, Publication> {
  const at = { supplier, now: now.getTime() }
  const written = new Map<string, WrittenEvent>()
  for (const [id, event] of newestStates(events)) {
    written.set(id, writeEvent(event, at, previous?.written.get(id)))
    yield
  }
  const all = [...written.values()]
  const candidates = all.flatMap(({ candidate }) => candidate ?? [])
  const situations = all.flatMap(({ situation }) => situation ?? [])
  const newest = newestChange(all, now)
  const publicationTime =
    previous === undefined
      ? newest
      : toPublicationTime(newest, { now, before: previous, isSame: isSame(previous, situations) })
  return {
    xml: printPublication(situations, supplier, publicationTime),
    publicationTime,
    nextBoundary: nextBoundary(candidates, now),
    situations: situations.length,
    leftOut: countLacks(all),
    notes: all.flatMap(({ event, notes }) => notes.map((note) => `${event.series}: ${note}`)),
    written,
  }
}

function countLacks(written: readonly WrittenEvent[]): Publication['leftOut'] {
  const leftOut = { position: 0, time: 0 }
  for (const { lacks } of written) if (lacks !== undefined) leftOut[lacks] += 1
  return leftOut
}

/**
 * Reports whether the situations are those of the previous document: unchanged ones have identical
 * texts.
 */
function isSame({ written }: Publication, situations: readonly PrintedElement[]): boolean {
  const before = [...written.values()].flatMap(({ situation }) => situation ?? [])
  return (
    before.length === situations.length &&
    before.every(({ printed }, index) => printed === situations[index]?.printed)
  )
}

/** Prints a SituationPublication as a document. */
export function printPublication(
  situations: readonly PrintedElement[],
  supplier: Supplier,
  publicationTime: Date,
): string {
  function* payload() {
    yield element('feedType', {}, 'situation-publication')
    yield element('publicationTime', {}, publicationTime.toISOString())
    yield identify('publicationCreator', supplier)
    yield* situations
  }
  const kind = { 'xsi:type': 'SituationPublication', lang: supplier.language }
  const root = element('d2LogicalModel', namespaces, [
    element('exchange', {}, [identify('supplierIdentification', supplier)]),
    element('payloadPublication', kind, payload()),
  ])
  return toXml(root)
}

function identify(name: string, supplier: Supplier): XmlElement {
  const { country, nationalIdentifier } = supplier
  const identifier = toElement(
    { name, type: 'InternationalIdentifier' },
    { country, nationalIdentifier },
    { model: version2, note: () => undefined },
  )
  if (identifier === undefined) throw new TypeError(`DATEX II knows no country "${country}".`)
  return identifier
}

const namespaces = {
  xmlns: 'http://datex2.eu/schema/2/2_0',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  modelBaseVersion: '2',
}

/**
 * Returns the time of the newest change of what is published, from the events alone: when an event
 * was written that was not gone at that time, or when a start, end or departure has passed since.
 */
function newestChange(written: readonly WrittenEvent[], now: Date): Date {
  let newest = 0
  for (const event of written) {
    const { candidate } = event
    const recorded = instantOf(event.event.recorded) ?? 0
    if (candidate === undefined || phaseAt(candidate.lifetime, recorded) === 'gone') continue
    newest = Math.max(newest, newestChangeOf(event, now))
  }
  return new Date(newest)
}

/** Returns when an event was written, or when its last start, end or departure passed (ms). */
export function newestChangeOf({ event, candidate }: WrittenEvent, now: Date): number {
  let newest = instantOf(event.recorded) ?? 0
  for (const boundary of boundariesOf(candidate?.lifetime ?? [])) {
    if (boundary <= now.getTime() && boundary > newest) newest = boundary
  }
  return newest
}

/**
 * Returns the next time after `now` at which the phase of a published or future situation changes.
 */
function nextBoundary(candidates: readonly Candidate[], now: Date): Date | undefined {
  let next = Infinity
  for (const { lifetime } of candidates) {
    for (const boundary of boundariesOf(lifetime)) {
      if (boundary > now.getTime() && boundary < next) next = boundary
    }
  }
  return next === Infinity ? undefined : new Date(next)
}

type Succession = {
  readonly now: Date
  readonly before: { readonly publicationTime: Date }
  /** Whether the content is that of the previous document. */
  readonly isSame: boolean
}

/**
 * Returns the time of a document that follows another one: the same if the content is the same,
 * later if it is not (decision D55). The newest change may be before the last document, if an event
 * left that document, or was received before another one and stored after it. In that case the time
 * is now.
 */
function toPublicationTime(newest: Date, { now, before, isSame }: Succession): Date {
  const { publicationTime } = before
  if (isSame) return publicationTime
  if (newest > publicationTime) return newest
  return now > publicationTime ? now : new Date(publicationTime.getTime() + 1)
}
