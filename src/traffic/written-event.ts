import type { MobilityEvent } from '../timeseries/index.ts'
import { printElement, toXmlCharacters } from './datex/index.ts'
import type { PrintedElement } from './datex/index.ts'
import { phaseAt } from './lifetime.ts'
import type { Phase } from './lifetime.ts'
import { toCandidate, toSituation } from './situation.ts'
import type { Candidate, Exclusion, Supplier } from './situation.ts'

/** An event as the feed has it at some instant. */
export type WrittenEvent = {
  readonly event: MobilityEvent
  /** Tells it from every other state of the event. */
  readonly fingerprint: string
  /** Undefined when it cannot be a situation. */
  readonly candidate: Candidate | undefined
  readonly lacks: Exclusion | undefined
  readonly phase: Phase
  /** Undefined when it is not in the feed, or not any more. */
  readonly situation: PrintedElement | undefined
  /** What was left out or replaced: in judging the event, and with that in writing the situation. */
  readonly judged: readonly string[]
  readonly notes: readonly string[]
}

/** What the last document held, by the id of the situation. */
export type Memory = ReadonlyMap<string, WrittenEvent>

type Occasion = { readonly supplier: Supplier; readonly now: number }

/** Writes an event, or returns what was written before when neither it nor its phase has changed. */
export function writeEvent(
  event: MobilityEvent,
  occasion: Occasion,
  known: WrittenEvent | undefined,
): WrittenEvent {
  const fingerprint = JSON.stringify(event)
  if (known?.candidate !== undefined && known.fingerprint === fingerprint) {
    const { candidate } = known
    return phaseAt(candidate.lifetime, occasion.now) === known.phase
      ? known
      : write(candidate, occasion, known)
  }
  const notes: string[] = []
  const result = toCandidate(event, occasion.now, (detail) => notes.push(detail))
  const judgement = { event, fingerprint, judged: notes }
  if (typeof result === 'object') return write(result, occasion, judgement)
  const absent = { candidate: undefined, phase: 'gone', situation: undefined } as const
  return { ...judgement, ...absent, lacks: result, notes }
}

function write(
  candidate: Candidate,
  occasion: Occasion,
  { event, fingerprint, judged }: Pick<WrittenEvent, 'event' | 'fingerprint' | 'judged'>,
): WrittenEvent {
  const notes = new Set(judged)
  const element = toSituation(candidate, occasion, (detail) => notes.add(detail))
  return {
    event,
    fingerprint,
    judged,
    notes: [...notes],
    candidate,
    lacks: undefined,
    phase: phaseAt(candidate.lifetime, occasion.now),
    situation: element && printElement(element),
  }
}

/** The newest state of each series, in the order of the ids as they will be written. */
export function newestStates(
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
