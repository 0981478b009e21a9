import type { MobilityEvent } from '../timeseries/index.ts'
import { element, toElement, toXml, toXmlCharacters } from './datex/index.ts'
import type { Note, XmlElement } from './datex/index.ts'
import { boundariesOf, instantOf } from './lifetime.ts'
import { toCandidate, toSituation } from './situation.ts'
import type { Candidate, Exclusion, Supplier } from './situation.ts'

/** A SituationPublication, and what is worth knowing about it. */
export type Publication = {
  /** The whole document. */
  readonly xml: string
  /** Of the newest change: an event written, or a start or end passed (decision D55). */
  readonly publicationTime: Date
  /** When the document changes by itself; undefined when only a new event can change it. */
  readonly nextBoundary: Date | undefined
  readonly situations: number
  /** Series that cannot be published, counted by what they lack. */
  readonly leftOut: Readonly<Record<Exclusion, number>>
  /** What was left out or replaced inside published situations, for the log. */
  readonly notes: readonly string[]
}

type Occasion = {
  readonly supplier: Supplier
  readonly now: Date
  /** An earlier document's publicationTime, below which a later one never falls. */
  readonly notBefore?: Date
}

/**
 * Writes the events of one provider as a DATEX II v2 document that is valid against the schema of
 * version 2.3, whatever the events hold. The same events at the same phase give the same bytes on
 * every node: situations are ordered by id, and publicationTime comes from the events alone.
 */
export function toPublication(
  events: readonly MobilityEvent[],
  { supplier, now, notBefore = new Date(0) }: Occasion,
): Publication {
  const notes = new Set<string>()
  const noteFor = (event: MobilityEvent) => (detail: string) => {
    notes.add(`${event.series}: ${detail}`)
  }
  const at = { supplier, now: now.getTime() }
  const { candidates, leftOut } = judge(newestStates(events), at.now, noteFor)
  let situations = 0
  function* written() {
    for (const candidate of candidates) {
      const situation = toSituation(candidate, at, noteFor(candidate.event))
      if (situation === undefined) continue
      situations += 1
      yield situation
    }
  }
  const newest = newestChange(events, candidates, now)
  const publicationTime = newest > notBefore ? newest : notBefore
  const xml = toXml(toDocument(written(), supplier, publicationTime))
  const next = nextBoundary(candidates, now)
  return { xml, publicationTime, nextBoundary: next, situations, leftOut, notes: [...notes] }
}

/** Parts the events that can be situations from those that cannot. */
function judge(
  events: readonly MobilityEvent[],
  now: number,
  noteFor: (event: MobilityEvent) => Note,
): { readonly candidates: readonly Candidate[]; readonly leftOut: Publication['leftOut'] } {
  const leftOut = { position: 0, time: 0 }
  const candidates = events.flatMap((event) => {
    const judged = toCandidate(event, now, noteFor(event))
    if (typeof judged === 'object') return [judged]
    if (judged !== undefined) leftOut[judged] += 1
    return []
  })
  return { candidates, leftOut }
}

/** The newest state of each series, in the order of the ids as they will be written. */
function newestStates(events: readonly MobilityEvent[]): readonly MobilityEvent[] {
  const newest = new Map<string, MobilityEvent>()
  for (const event of events) {
    const id = toXmlCharacters(event.series)
    const known = newest.get(id)
    if (known === undefined || isNewer(event, known)) newest.set(id, event)
  }
  return [...newest].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, event]) => event)
}

function isNewer(event: MobilityEvent, known: MobilityEvent): boolean {
  if (event.version !== known.version) return event.version > known.version
  return event.recorded > known.recorded
}

/** The next instant after `now` at which a phase of a published or coming situation changes. */
function nextBoundary(candidates: readonly Candidate[], now: Date): Date | undefined {
  let next = Infinity
  for (const { lifetime } of candidates) {
    for (const boundary of boundariesOf(lifetime)) {
      if (boundary > now.getTime() && boundary < next) next = boundary
    }
  }
  return next === Infinity ? undefined : new Date(next)
}

/** The newest writing of an event or passing of a boundary. */
function newestChange(
  events: readonly MobilityEvent[],
  candidates: readonly Candidate[],
  now: Date,
): Date {
  let newest = 0
  for (const { recorded } of events) newest = Math.max(newest, instantOf(recorded) ?? 0)
  for (const { lifetime } of candidates) {
    for (const boundary of boundariesOf(lifetime)) {
      if (boundary <= now.getTime() && boundary > newest) newest = boundary
    }
  }
  return new Date(newest)
}

function toDocument(
  situations: Iterable<XmlElement>,
  supplier: Supplier,
  publicationTime: Date,
): XmlElement {
  function* payload() {
    yield element('feedType', {}, 'situation-publication')
    yield element('publicationTime', {}, publicationTime.toISOString())
    yield identify('publicationCreator', supplier)
    yield* situations
  }
  const kind = { 'xsi:type': 'SituationPublication', lang: supplier.language }
  return element('d2LogicalModel', namespaces, [
    element('exchange', {}, [identify('supplierIdentification', supplier)]),
    element('payloadPublication', kind, payload()),
  ])
}

function identify(name: string, supplier: Supplier): XmlElement {
  const { country, nationalIdentifier } = supplier
  const identifier = toElement(
    { name, type: 'InternationalIdentifier' },
    { country, nationalIdentifier },
    () => undefined,
  )
  if (identifier === undefined) throw new TypeError(`DATEX II knows no country "${country}".`)
  return identifier
}

const namespaces = {
  xmlns: 'http://datex2.eu/schema/2/2_0',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  modelBaseVersion: '2',
}
