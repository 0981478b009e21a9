import { nearest } from '../lang/nearest.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import { classify } from './classify.ts'
import { toComments } from './comments.ts'
import type { TitleEnd } from './comments.ts'
import { isRecord, toElement, version2, version3 } from '../datex/index.ts'
import type { Note, Value, XmlElement } from '../datex/index.ts'
import { lifetimeOf, phaseAt, startOf } from './lifetime.ts'
import type { Lifetime, Phase } from './lifetime.ts'
import { toLocation } from './location.ts'
import type { LocationValue } from './location.ts'
import { toVersion3 } from './to-version-3.ts'
import type { Kind } from './classify.ts'

/** Who publishes, and how: country and language of the feed, and the provider's own identifier. */
export type Supplier = {
  readonly country: string
  readonly language: string
  readonly nationalIdentifier: string
  readonly titleEnd: TitleEnd
}

/** An event that can be a situation, with all that does not depend on the time of asking. */
export type Candidate = {
  readonly event: MobilityEvent
  readonly kind: Kind
  readonly location: LocationValue
  readonly lifetime: Lifetime
}

/** Why an event is not in the feed. */
export type Exclusion = 'position' | 'time'

/**
 * Judges an event at an instant (ms): a situation to be, or what is missing (decision D55: never 0,0,
 * never the year 1). Undefined when it has no position but is over anyway, thus not worth counting.
 */
export function toCandidate(
  event: MobilityEvent,
  now: number,
  note: Note,
): Candidate | Exclusion | undefined {
  const kind = classify(event, note)
  const lifetime = lifetimeOf(event, kind)
  if (lifetime === undefined) return 'time'
  const location = toLocation(event.geometry)
  if (location !== undefined) return { event, kind, location, lifetime }
  return phaseAt(lifetime, now) === 'gone' ? undefined : 'position'
}

/** The situation element of a candidate at an instant (ms); undefined when it has left the feed. */
export function toSituation(
  candidate: Candidate,
  { supplier, now }: { readonly supplier: Supplier; readonly now: number },
  note: Note,
): XmlElement | undefined {
  const phase = phaseAt(candidate.lifetime, now)
  if (phase === 'gone') return undefined
  const situation = describe(candidate, { supplier, phase }, note)
  return toElement({ name: 'situation', type: 'Situation' }, situation, { model: version2, note })
}

type Moment = { readonly supplier: Supplier; readonly phase: Exclude<Phase, 'gone'> }

/** The same in DATEX II v3, of a candidate that is in the feed. */
export function toSituation3(
  candidate: Candidate,
  moment: Moment,
  note: Note,
): XmlElement | undefined {
  // What the event says wrong is noted where it is written as v2.
  const situation = describe(candidate, moment, () => undefined)
  const slot = { name: 'situation', element: 'sit:situation', type: 'sit:Situation', max: Infinity }
  const translated = toVersion3(situation, 'Situation', note)
  return toElement(slot, translated, { model: version3, note })
}

/** What a situation says, as a value of the type of v2. */
function describe(candidate: Candidate, { supplier, phase }: Moment, note: Note): Value {
  const { event, kind } = candidate
  const over = (typeName: string, computed: Readonly<Record<string, unknown>>) =>
    override({ typeName, computed }, event.datex, note)
  noteUnknown(['Situation', 'HeaderInformation', kind.type], event.datex, note)
  return {
    ...over('Situation', toSituationMembers(candidate)),
    headerInformation: over('HeaderInformation', toHeader(kind)),
    situationRecord: over(kind.type, toRecord(candidate, phase, supplier)),
  }
}

function toSituationMembers({ event, kind }: Candidate) {
  return {
    id: event.series,
    version: toVersion(event),
    overallSeverity: kind.severity,
    situationVersionTime: event.recorded,
  }
}

function toHeader(kind: Kind) {
  return {
    confidentiality: 'noRestriction',
    informationStatus: 'real',
    urgency: kind.severity === 'highest' ? 'urgent' : 'normalUrgency',
  }
}

/** The one record of a situation; its fields are those of the schema, in any order. */
function toRecord({ event, kind, location }: Candidate, phase: Phase, supplier: Supplier) {
  return {
    type: kind.type,
    id: event.series,
    version: toVersion(event),
    situationRecordCreationReference: event.name === '' ? undefined : event.name,
    situationRecordCreationTime: event.firstRecorded,
    situationRecordVersionTime: event.recorded,
    probabilityOfOccurrence: phase === 'planned' ? 'probable' : 'certain',
    source: toSource(event, supplier),
    validity: {
      validityStatus: validityStatus[phase],
      validityTimeSpecification: { overallStartTime: startOf(event), overallEndTime: event.end },
    },
    generalPublicComment: toComments(event, supplier.titleEnd),
    groupOfLocations: location,
    management: lifeCycle[phase],
    ...kind.members,
  }
}

function toVersion({ version }: MobilityEvent): string {
  return Number.isSafeInteger(version) && version > 0 ? String(version) : '1'
}

function toSource(event: MobilityEvent, supplier: Supplier) {
  return {
    sourceCountry: supplier.country,
    sourceIdentification: supplier.nationalIdentifier,
    sourceName: { [supplier.language]: event.origin },
    sourceType: 'roadAuthorities',
    reliable: true,
  }
}

/** A cancelled record is suspended: its period may still run, so the period must not decide. */
const validityStatus: Readonly<Record<Phase, string | undefined>> = {
  planned: 'definedByValidityTimeSpec',
  active: 'active',
  ended: 'definedByValidityTimeSpec',
  cancelled: 'suspended',
  gone: undefined,
}

const lifeCycle: Readonly<Record<Phase, object | undefined>> = {
  planned: undefined,
  active: undefined,
  ended: { lifeCycleManagement: { end: true } },
  cancelled: { lifeCycleManagement: { cancel: true } },
  gone: undefined,
}

/** These follow from the event itself; a second opinion about them would contradict it. */
const reserved: ReadonlySet<string> = new Set([
  'id',
  'version',
  'situationVersionTime',
  'headerInformation',
  'situationRecord',
  'situationRecordCreationTime',
  'situationRecordVersionTime',
  'generalPublicComment',
  'management',
])

/**
 * Lays the fields that an event has in `datex` over the computed ones of a type of the schema.
 * Objects are merged field by field, anything else is replaced. What the schema cannot take
 * leaves the computed value in place, with a note. `null` counts as absent.
 */
function override(
  { typeName, computed }: { readonly typeName: string; readonly computed: Value },
  given: Value | null,
  note: Note,
): Value {
  if (given === null) return computed
  const result: Record<string, unknown> = { ...computed }
  for (const member of version2.types.get(typeName)?.members ?? []) {
    const value = given[member.name]
    if (value === undefined || value === null || reserved.has(member.name)) continue
    const merged = merge(result[member.name], value)
    const values: readonly unknown[] = Array.isArray(merged) ? merged : [merged]
    const usable = values.filter(
      (item) => toElement(member, item, { model: version2, note }) !== undefined,
    )
    if (usable.length >= Math.max(1, member.min)) {
      result[member.name] = Array.isArray(merged) ? usable : merged
    }
  }
  return result
}

/** Notes each field in `datex` that neither the types nor the event have a place for. */
function noteUnknown(typeNames: readonly string[], given: Value | null, note: Note): void {
  if (given === null) return
  const known = new Set(typeNames.flatMap((name) => [...(version2.types.get(name)?.names ?? [])]))
  for (const name of Object.keys(given)) {
    if (reserved.has(name)) note(`datex.${name} follows from the event and cannot be set.`)
    if (known.has(name)) continue
    const meant = nearest(name, known)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    note(`datex.${name.slice(0, 100)} is not a field of ${typeNames.join(', ')}.${hint}`)
  }
}

/** A given `type` other than the computed one starts afresh. */
function merge(computed: unknown, given: unknown): unknown {
  if (!isRecord(computed) || !isRecord(given)) return given
  if (given['type'] !== undefined && given['type'] !== computed['type']) return given
  const merged: Record<string, unknown> = { ...computed }
  for (const [name, value] of Object.entries(given)) merged[name] = merge(computed[name], value)
  return merged
}
