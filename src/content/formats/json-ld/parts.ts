import { fieldsOf, listOf, parseObject, textOf, textsOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { languages } from '../../representation.ts'
import { positionOf } from '../geojson.ts'

/** Node of linked data: an object with an `@type` and properties of schema.org. */
export type LinkedNode = Readonly<Record<string, unknown>>

/**
 * Returns a node without its empty properties, or undefined if none is left. A JSON-LD processor
 * drops null and empty values, so they are never written.
 */
export function toNode(
  type: string,
  properties: Readonly<Record<string, unknown>>,
): LinkedNode | undefined {
  const said = Object.entries(properties).filter(([, value]) => saysSomething(value))
  return said.length === 0 ? undefined : { '@type': type, ...Object.fromEntries(said) }
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

/** Returns an http or https URL. Anything else is not a link. */
export function linkOf(written: string | undefined): string | undefined {
  return written !== undefined && /^https?:\/\//i.test(written) && URL.canParse(written)
    ? written
    : undefined
}

/** Returns a node as a list, which is empty without a node. */
export function present(node: LinkedNode | undefined): readonly LinkedNode[] {
  return node === undefined ? [] : [node]
}

/** Record to be written as linked data: its fields, its URL, and its languages. */
export type Subject = {
  readonly record: Members
  readonly address: string
  /** Languages to search for texts, the best first. */
  readonly languages: readonly string[]
}

/**
 * Returns a subject with its order of languages: the requested one, English if the record has no
 * text in it, otherwise any.
 */
export function toSubject(data: string, address: string, language: string | undefined): Subject {
  const wanted = language === undefined ? [] : [language]
  return {
    record: parseObject(data),
    address,
    languages: [...new Set([...wanted, 'en', ...languages])],
  }
}

/** Returns the best entry with content of a field keyed by language, such as `Detail`. */
export function entryOf({ languages: codes }: Subject, member: unknown): Members {
  const entries = fieldsOf(member)
  const found = codes.map((code) => fieldsOf(entries[code]))
  return found.find((entry) => Object.values(entry).some((value) => textOf(value))) ?? {}
}

/** Returns the best text of a field keyed by language, such as `SkiRegionName`. */
export function textIn({ languages: codes }: Subject, member: unknown): string | undefined {
  const entries = fieldsOf(member)
  return codes.flatMap((code) => textOf(entries[code]) ?? [])[0]
}

/**
 * Returns the best text inside the entries of a field keyed by language, such as a title in
 * `Detail`.
 */
export function textWithin(subject: Subject, member: unknown, name: string): string | undefined {
  const entries = fieldsOf(member)
  return subject.languages.flatMap((code) => textOf(fieldsOf(entries[code])[name]) ?? [])[0]
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * Codes of `OperationScheduleTime`: state 2 is open, time code 1 the general opening hours
 * (reference content.md 7.0).
 */
const open = 2
const general = 1

/** Returns the opening hours in `OperationSchedule`: the general ones, not those of the kitchen. */
export function openingHoursOf(record: Members): readonly LinkedNode[] {
  return listOf(record['OperationSchedule']).flatMap((schedule) =>
    listOf(schedule['OperationScheduleTime'])
      .filter((time) => time['State'] === open && time['Timecode'] === general)
      .flatMap((time) => present(toSpecification(schedule, time))),
  )
}

function toSpecification(schedule: Members, time: Members): LinkedNode | undefined {
  const days = weekdays.filter((day) => time[day] === true)
  return toNode('OpeningHoursSpecification', {
    dayOfWeek: days.map((day) => `https://schema.org/${day}`),
    opens: textOf(time['Start']),
    closes: textOf(time['End']),
    validFrom: dateOf(schedule['Start']),
    validThrough: dateOf(schedule['Stop']),
  })
}

/** Returns the day of a text with a date and time. */
export function dateOf(written: unknown): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(textOf(written) ?? '')?.[0]
}

/**
 * Returns the properties that most types have: name, texts, picture, contact, address and position.
 */
export function thingOf(subject: Subject): Readonly<Record<string, unknown>> {
  const { record } = subject
  const contact = entryOf(subject, record['ContactInfos'])
  return {
    '@id': subject.address,
    name: nameOf(subject),
    description: descriptionOf(subject),
    image: imageOf(record),
    ...reachedBy(contact),
    logo: linkOf(textOf(contact['LogoUrl'])),
    address: addressOf(contact) ?? localityOf(subject),
    geo: geoOf(record),
  }
}

/**
 * Returns the name of a record, which is its title, otherwise its short name, otherwise its
 * identifier.
 */
export function nameOf(subject: Subject): string {
  const { record } = subject
  return (
    textWithin(subject, record['Detail'], 'Title') ??
    textOf(record['Shortname']) ??
    String(record['Id'])
  )
}

function descriptionOf(subject: Subject): string | undefined {
  const { Detail } = { Detail: subject.record['Detail'] }
  return textWithin(subject, Detail, 'BaseText') ?? textWithin(subject, Detail, 'IntroText')
}

function imageOf(record: Members): string | undefined {
  return listOf(record['ImageGallery']).flatMap(
    (image) => linkOf(textOf(image['ImageUrl'])) ?? [],
  )[0]
}

/** Returns contact properties from an entry of `ContactInfos`. */
export function reachedBy(contact: Members): Readonly<Record<string, unknown>> {
  return {
    url: linkOf(textOf(contact['Url'])),
    telephone: textOf(contact['Phonenumber']),
    faxNumber: textOf(contact['Faxnumber']),
    email: textOf(contact['Email']),
  }
}

/** Returns an entry of `ContactInfos` as a postal address. */
export function addressOf(contact: Members): LinkedNode | undefined {
  return toNode('PostalAddress', {
    streetAddress: textOf(contact['Address']),
    postalCode: textOf(contact['ZipCode']),
    addressLocality: textOf(contact['City']),
    addressRegion: textOf(contact['Region']),
    addressCountry: textOf(contact['CountryCode']) ?? textOf(contact['CountryName']),
  })
}

/**
 * Returns the municipality and region of a record as an address, for records that have no address.
 */
export function localityOf(subject: Subject): LinkedNode | undefined {
  const location = fieldsOf(subject.record['LocationInfo'])
  return toNode('PostalAddress', {
    addressLocality: textIn(subject, fieldsOf(location['MunicipalityInfo'])['Name']),
    addressRegion: textIn(subject, fieldsOf(location['RegionInfo'])['Name']),
  })
}

export function geoOf(record: Members): LinkedNode | undefined {
  const [longitude, latitude, elevation] = positionOf(record)?.coordinates ?? []
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined
  return toNode('GeoCoordinates', { latitude, longitude, elevation })
}

/** Returns the languages in which a record has texts, as BCP 47 codes. */
export function languagesOf(record: Members): readonly string[] {
  return textsOf(record['HasLanguage'])
}
