import { nearest } from '../lang/nearest.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import { classify } from './classify.ts'
import { toComments } from './comments.ts'
import type { TitleEnd } from './comments.ts'
import { isRecord, printElement, toElement, version2, version3 } from '../datex/index.ts'
import type { Member, Note, Value, XmlElement } from '../datex/index.ts'
import { lifetimeOf, phaseAt, startOf } from './lifetime.ts'
import type { Lifetime, Phase } from './lifetime.ts'
import { toLocation } from './location.ts'
import type { LocationValue } from './location.ts'
import { toVersion3 } from './to-version-3.ts'
import type { Kind } from './classify.ts'

/**
 * The publisher and its style: country and language of the feed, and the provider's own identifier.
 */
export type Supplier = {
  readonly country: string
  readonly language: string
  readonly nationalIdentifier: string
  readonly titleEnd: TitleEnd
}

/**
 * An event that can be a situation, with everything that does not depend on the time of the
 * request.
 */
export type Candidate = {
  readonly event: MobilityEvent
  readonly kind: Kind
  readonly location: LocationValue
  readonly lifetime: Lifetime
}

/** What an event is missing, so that it is not in the feed. */
export type Exclusion = 'position' | 'time'

/**
 * Judges an event at a time (ms). Returns the candidate for a situation, or what is missing
 * (decision D55: never 0,0, never the year 1). Returns undefined if it has no position but is over
 * anyway, so it is not worth counting.
 */
export function toCandidate(
  event: MobilityEvent,
  now: number,
  note: Note,
): Candidate | Exclusion | undefined {
  const kind = classify(event, note)
  const lifetime = lifetimeOf(event, kind)
  if (lifetime === undefined) return 'time'
  const location = toLocation(event.geometry, note)
  if (location !== undefined) return { event, kind, location, lifetime }
  return phaseAt(lifetime, now) === 'gone' ? undefined : 'position'
}

/**
 * Writes the situation element of a candidate at a time (ms). Returns undefined if it has left the
 * feed.
 */
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

/** Writes the situation element of a candidate that is in the feed in DATEX II v3. */
export function toSituation3(
  candidate: Candidate,
  moment: Moment,
  note: Note,
): XmlElement | undefined {
  // Errors in the event are noted where it is written as v2.
  const situation = describe(candidate, moment, () => undefined)
  const slot = { name: 'situation', element: 'sit:situation', type: 'sit:Situation', max: Infinity }
  const translated = toVersion3(situation, 'Situation', note)
  return toElement(slot, translated, { model: version3, note })
}

/** Returns the situation of a candidate as a value of the v2 type. */
function describe(candidate: Candidate, { supplier, phase }: Moment, note: Note): Value {
  const { event, kind } = candidate
  const given = Object.entries(event.datex ?? {}).filter(([name]) => !reserved.has(name))
  const over = (typeName: string, computed: Readonly<Record<string, unknown>>) =>
    override({ typeName, computed }, Object.fromEntries(given), note)
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

/** Returns the only record of a situation. Its fields are those of the schema, in any order. */
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

/**
 * Validity status by phase. A cancelled record is suspended: its period may still run, so the
 * period must not decide.
 */
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

/** Fields that follow from the event itself. Values for them in `datex` would contradict it. */
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
 * Overrides the computed fields of a schema type by those that are given for it. Objects are merged
 * field by field, anything else is replaced. If the schema does not allow a value, the computed one
 * stays, with a note. `null` counts as missing.
 */
function override(
  { typeName, computed }: { readonly typeName: string; readonly computed: Value },
  given: Value,
  note: Note,
): Value {
  const result: Record<string, unknown> = { ...computed }
  for (const member of version2.types.get(typeName)?.members ?? []) {
    const value = given[member.name] ?? undefined
    if (value === undefined) continue
    const own = result[member.name]
    const merged = merge(member, { computed: own, given: value }, note)
    const values: readonly unknown[] = Array.isArray(merged) ? merged : [merged]
    const usable = values.filter((item) => isUsable(member, item, note))
    if (usable.length < Math.max(1, member.min)) continue
    result[member.name] = Array.isArray(merged) ? usable : merged
  }
  return result
}

/** Reports whether the schema allows a value. A location also needs coordinates (decision D55). */
function isUsable(member: Member, value: unknown, note: Note): boolean {
  const element = toElement(member, value, { model: version2, note })
  if (element === undefined || member.name !== 'groupOfLocations') return element !== undefined
  const isPlaced = printElement(element).printed.includes('<latitude>')
  if (!isPlaced) note('datex.groupOfLocations has no coordinates, so it is not used.')
  return isPlaced
}

/** Notes each field in `datex` that the types do not have, or that follows from the event. */
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

/** Merges a given value into a computed one. If their `type` differs, the given one replaces it. */
function merge(
  { type: declared }: Member,
  { computed, given }: { readonly computed: unknown; readonly given: unknown },
  note: Note,
): unknown {
  if (!isRecord(computed) || !isRecord(given)) return given
  const { type = declared } = computed
  if (given['type'] !== undefined && given['type'] !== type) return given
  const typeName = String(type)
  const known = new Set(version2.types.get(typeName)?.members.map(({ name }) => name))
  // Attributes, texts by language, and names that do not exist, which are noted when written.
  const others = Object.entries(given).filter(([name]) => !known.has(name))
  return { ...override({ typeName, computed }, given, note), ...Object.fromEntries(others) }
}
