import { isObject, objectsOf, withoutFields } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { fieldsMovedInto } from '../../deprecations/index.ts'
import type { Entity } from '../../entity.ts'
import { has, isAbsent, nothingKnown, pickPerLanguage, textOf, textsOf, toDraft } from './draft.ts'
import type { Draft, Generator, GeneratorFor, Lookups } from './draft.ts'
import {
  areas,
  categories,
  copies,
  eventTags,
  gpsPoints,
  hubTags,
  links,
  ownPosition,
  sourceTags,
  tagOfOld,
  tags,
} from './places.ts'
export type { Lookups } from './draft.ts'
export { loadLookups, siblingsOf } from './draft.ts'

const parent = 'AdditionalProperties'
const activity = 'ActivityLtsDataProperties'
const poi = 'PoiLtsDataProperties'

const gastronomy = 'GastronomyLtsDataProperties'
const ages = 'PoiAgeDataProperties'

const activityProperties = fieldsMovedInto(activity)
const gastronomyProperties = fieldsMovedInto(gastronomy)
const ageProperties = fieldsMovedInto(ages)
/** Properties that points of interest and activities share (interface 9.4). */
const sharedProperties = ['IsOpen', 'HasFreeEntrance']

/** Ratings and measures of an activity, besides its moved properties. */
const furtherProperties = ['Ratings', 'Exposition']

/**
 * Generates the objects of `AdditionalProperties` from the fields at the top of a record (interface
 * 9.4). Old records fill fields that do not concern them with 0 and false; such values alone create
 * no object.
 */
const propertiesOfOld: GeneratorFor = (entity) => {
  if (!has(entity, parent, ...activityProperties)) return undefined
  return (draft) => {
    const { record, give } = draft
    const kinds = textsOf(record['TagIds'] ?? record['SmgTags'])
    giveOwnFlags(draft)
    give([parent, gastronomy], objectOf(record, gastronomyProperties))
    give([parent, ages], objectOf(record, ageProperties))
    const activities = [...activityProperties, ...sharedProperties, ...furtherProperties]
    const says = activityProperties.some((name) => saysSomething(record[name]))
    if (says || kinds.includes('activity')) {
      give([parent, activity], objectOf(record, activities, 'always'))
      return
    }
    const isPoi = kinds.includes('poi') ? 'always' : 'telling'
    give([parent, poi], objectOf(record, sharedProperties, isPoi))
  }
}

/**
 * Generates the two flags that activities and points of interest share, from whichever object has
 * them.
 */
function giveOwnFlags({ record, give }: Draft): void {
  const additional = record[parent]
  if (!isObject(additional)) return
  for (const name of sharedProperties) {
    for (const object of [additional[activity], additional[poi]]) {
      if (isObject(object)) give([name], object[name])
    }
  }
}

/**
 * Returns the fields with these names that have a value; undefined if none has one or, with
 * `telling`, if none has a meaningful one.
 */
function objectOf(
  record: Members,
  names: readonly string[],
  when: 'always' | 'telling' = 'telling',
): Members | undefined {
  if (when === 'telling' && !names.some((name) => saysSomething(record[name]))) return undefined
  const present = names.filter((name) => !isAbsent(record[name]))
  if (present.length === 0) return undefined
  return Object.fromEntries(present.map((name) => [name, record[name]]))
}

function saysSomething(value: unknown): boolean {
  if (isAbsent(value) || value === 0 || value === false || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

/**
 * Generates the old fields of events from the properties, variants, dates and URLs that replace
 * them (interface 9.1).
 */
const eventOfOld: GeneratorFor = (entity) => {
  if (!has(entity, 'EventProperty', 'EventVariants', 'EventDate')) return undefined
  return ({ record, give, replace }) => {
    const { EventProperty, EventUrls, EventVariants } = record
    if (isObject(EventProperty)) {
      give(['Ticket'], toDigit(EventProperty['TicketRequired']))
      give(['SignOn'], toDigit(EventProperty['RegistrationRequired']))
    }
    give(['EventPrice'], pricesOf(objectsOf(EventVariants)))
    give(['EventBooking'], bookingOf(objectsOf(EventUrls)))
    const dates = objectsOf(record['EventDate'])
    if (dates.length === 0) return
    give(
      ['EventDatesBegin'],
      dates.flatMap(({ From }) => textOf(From) ?? []),
    )
    give(
      ['EventDatesEnd'],
      dates.flatMap(({ To }) => textOf(To) ?? []),
    )
    give(['EventDateCounter'], dates.length)
    if (dates.some(({ EventCalculatedDay }) => !isAbsent(EventCalculatedDay))) return
    replace(['EventDate'], 'EventCalculatedDay', withFirstDay)
  }
}

/** Converts a flag to the text 1 or 0, as events had it. */
function toDigit(flag: unknown): string | undefined {
  if (typeof flag !== 'boolean') return undefined
  return flag ? '1' : '0'
}

/** Returns the standard price, for each language in which it has a name. */
function pricesOf(variants: readonly Members[]): Members | undefined {
  const standard = variants.find(({ IsStandard }) => IsStandard === true) ?? variants[0]
  if (typeof standard?.['Price'] !== 'number' || !isObject(standard['Name'])) return undefined
  const { Price, VariantId = null } = standard
  const toPrice = (language: string, ShortDesc: unknown): Members => ({
    Language: language,
    Price,
    ShortDesc,
    VarRID: VariantId,
  })
  const names = Object.entries(standard['Name'])
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map(([language, name]) => [language, toPrice(language, name)]))
}

function bookingOf(urls: readonly Members[]): Members | undefined {
  const booking = urls.find(({ Type }) => Type === 'bookingUrl')
  if (!isObject(booking?.['Url'])) return undefined
  const addresses = Object.entries(booking['Url']).map(([language, url]) => [
    language,
    { Url: url },
  ])
  return { BookingUrl: Object.fromEntries(addresses), BookingActive: booking['Active'] ?? null }
}

function withFirstDay(date: Members): Members {
  const [first] = objectsOf(date['EventCalculatedDays'])
  return first === undefined ? date : { ...date, EventCalculatedDay: first }
}

/**
 * Generates the titles and texts that short events had before `Detail` (reference content.md 7.5).
 */
const shortEventOfOld: GeneratorFor = (entity) => {
  if (!has(entity, 'EventTitle', 'EventText', 'EventDocument')) return undefined
  return ({ record, give }) => {
    const titles = pickPerLanguage(record['Detail'], 'Title')
    const texts = pickPerLanguage(record['Detail'], 'BaseText')
    give(['EventTitle'], titles)
    give(['EventText'], texts)
    give(['EventDescription'], titles?.['de'] ?? titles?.['en'] ?? titles?.['it'])
    for (const language of ['de', 'it', 'en']) {
      give([`EventDescription${language.toUpperCase()}`], titles?.[language])
      give([`EventText${language.toUpperCase()}`], texts?.[language])
    }
    const documents = documentsOf(record['Documents'])
    if (documents.length > 0) give(['EventDocument'], documents)
  }
}

function documentsOf(perLanguage: unknown): readonly Members[] {
  if (!isObject(perLanguage)) return []
  return Object.entries(perLanguage).flatMap(([language, documents]) =>
    objectsOf(documents).map(({ DocumentURL }) => ({
      DocumentURL: DocumentURL ?? null,
      Language: language,
    })),
  )
}

/** Generates the name that webcams had before `Detail` (reference content.md 7.7). */
const webcamName: GeneratorFor = (entity) => {
  if (!has(entity, 'Webcamname', 'Detail')) return undefined
  return ({ record, give }) => {
    give(['Webcamname'], pickPerLanguage(record['Detail'], 'Title'))
  }
}

/**
 * Generates the identifier at the booking portal that accommodations had before there were several
 * portals (reference content.md 7.1).
 */
const bookingId: GeneratorFor = (entity) => {
  if (!has(entity, 'HgvId', 'AccoBookingChannel')) return undefined
  return ({ record, give }) => {
    const channel = objectsOf(record['AccoBookingChannel']).find(({ Id }) => Id === 'hgv')
    give(['HgvId'], textOf(channel?.['BookingId']))
  }
}

/**
 * Generates `SmgActive` and its copy from `PublishedOn`: a record that a channel shows is shown by
 * the platform (interface 9.1).
 */
const shown: GeneratorFor = (entity) => {
  const { active } = entity.naming
  if (!has(entity, 'SmgActive', active)) return undefined
  return ({ record, give }) => {
    const { PublishedOn, SmgActive } = record
    const isShown = record[active] ?? SmgActive ?? isPublished(PublishedOn)
    if (isAbsent(isShown)) return
    give(['SmgActive'], isShown)
    give([active], record['SmgActive'])
  }
}

function isPublished(channels: unknown): boolean | undefined {
  return Array.isArray(channels) ? channels.length > 0 : undefined
}

/** All generators. The order matters, because some use the results of others. */
const generators: readonly GeneratorFor[] = [
  copies,
  gpsPoints,
  ownPosition,
  tags,
  hubTags,
  sourceTags,
  categories,
  eventTags,
  tagOfOld,
  shown,
  areas,
  links,
  propertiesOfOld,
  eventOfOld,
  shortEventOfOld,
  webcamName,
  bookingId,
]

const ofEntity = new WeakMap<Entity, readonly Generator[]>()

function generatorsOf(entity: Entity): readonly Generator[] {
  const known = ofEntity.get(entity)
  if (known !== undefined) return known
  const found = generators.flatMap((generatorFor) => generatorFor(entity) ?? [])
  ofEntity.set(entity, found)
  return found
}

type Generated = {
  readonly record: Members
  /** Paths of the generated fields, sorted. */
  readonly paths: readonly string[]
}

/**
 * Adds to a record the fields that are derived from others (interface 9.1 to 9.4): old spellings
 * besides the new ones, links, names of tags. The sender's values are kept.
 */
export function withGenerated(
  entity: Entity,
  sent: Members,
  lookups: Lookups = nothingKnown,
): Generated {
  const found = generatorsOf(entity)
  if (found.length === 0) return { record: sent, paths: [] }
  const draft = toDraft(sent)
  for (const generate of found) generate(draft, lookups)
  const paths = [...draft.given].filter((path) => !entity.removedFields.includes(path)).sort()
  return { record: draft.record, paths }
}

/**
 * Removes the fields that `_Meta.Generated` names. They are generated again, so that a record that
 * was read from a hub can be changed and sent back.
 */
export function withoutGenerated(sent: Members): Members {
  const { _Meta: meta } = sent
  const paths = isObject(meta) ? textsOf(meta['Generated']) : []
  return paths.length === 0 ? sent : withoutFields(sent, paths)
}
