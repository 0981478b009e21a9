import type { MobilityEvent } from '../timeseries/index.ts'
import { element, toElement, toXml } from './datex/index.ts'
import type { PrintedElement, XmlElement } from './datex/index.ts'
import { newestChange, nextBoundary, toPublicationTime } from './publication-time.ts'
import type { Exclusion, Supplier } from './situation.ts'
import { newestStates, writeEvent } from './written-event.ts'
import type { Memory, WrittenEvent } from './written-event.ts'

/** A SituationPublication, and what is worth knowing about it. */
export type Publication = {
  /** The whole document. */
  readonly xml: string
  /** Of the newest change of content: an event written, or a start or end passed (decision D55). */
  readonly publicationTime: Date
  /** When the document changes by itself; undefined when only a new event can change it. */
  readonly nextBoundary: Date | undefined
  readonly situations: number
  /** Series that cannot be published, counted by what they lack. */
  readonly leftOut: Readonly<Record<Exclusion, number>>
  /** What was left out or replaced inside published situations, for the log. */
  readonly notes: readonly string[]
  /** Every series as it stands in the document, by the id of its situation. */
  readonly written: Memory
}

export type PublicationOccasion = {
  readonly supplier: Supplier
  readonly now: Date
  /** The document before this one, for what has not changed since. */
  readonly previous?: Publication
}

/**
 * Writes the events of one provider as a DATEX II v2 document that is valid against the schema of
 * version 2.3, whatever the events hold. The same events at the same phase give the same bytes on
 * every node: situations are ordered by id, and publicationTime comes from the events alone (but is
 * always after that of a previous document with other content).
 */
export function toPublication(
  events: readonly MobilityEvent[],
  occasion: PublicationOccasion,
): Publication {
  const steps = publicationSteps(events, occasion)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same in small steps, so that the caller can let others run between them. */
export function* publicationSteps(
  events: readonly MobilityEvent[],
  { supplier, now, previous }: PublicationOccasion,
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
  const newest = newestChange(candidates, now)
  const publicationTime =
    previous === undefined
      ? newest
      : toPublicationTime(newest, { now, before: previous, isSame: isSame(previous, situations) })
  return {
    xml: toXml(toDocument(situations, supplier, publicationTime)),
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

/** Situations that have not changed since are the very same texts. */
function isSame({ written }: Publication, situations: readonly PrintedElement[]): boolean {
  const before = [...written.values()].flatMap(({ situation }) => situation ?? [])
  return (
    before.length === situations.length &&
    before.every(({ printed }, index) => printed === situations[index]?.printed)
  )
}

function toDocument(
  situations: readonly PrintedElement[],
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
