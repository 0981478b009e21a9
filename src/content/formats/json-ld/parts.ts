import { fieldsOf, listOf, parseObject, textOf, textsOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { languages } from '../../representation.ts'
import { positionOf } from '../geojson.ts'

/** A node of linked data: an object with an `@type` and properties of schema.org. */
export type LinkedNode = Readonly<Record<string, unknown>>

/**
 * A node without its empty properties; undefined when none is left. A JSON-LD processor drops
 * null and what has no value, so nothing of the kind is ever written.
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

/** An address of the web; anything else is not a link. */
export function linkOf(written: string | undefined): string | undefined {
  return written !== undefined && /^https?:\/\//i.test(written) && URL.canParse(written)
    ? written
    : undefined
}

/** A node or none, as a list. */
export function present(node: LinkedNode | undefined): readonly LinkedNode[] {
  return node === undefined ? [] : [node]
}

/** A record to be written as linked data: its fields, its address, and the language to write it in. */
export type Subject = {
  readonly record: Members
  readonly address: string
  /** The languages to search for, the best first. */
  readonly languages: readonly string[]
}

/** In the requested language, in English if the record has no text in it, otherwise in any. */
export function toSubject(data: string, address: string, language: string | undefined): Subject {
  const wanted = language === undefined ? [] : [language]
  return {
    record: parseObject(data),
    address,
    languages: [...new Set([...wanted, 'en', ...languages])],
  }
}

/** The entry of a field keyed by language, such as `Detail`: the best one with content. */
export function entryOf({ languages: codes }: Subject, member: unknown): Members {
  const entries = fieldsOf(member)
  const found = codes.map((code) => fieldsOf(entries[code]))
  return found.find((entry) => Object.values(entry).some((value) => textOf(value))) ?? {}
}

/** A text keyed by language, such as `SkiRegionName`. */
export function textIn({ languages: codes }: Subject, member: unknown): string | undefined {
  const entries = fieldsOf(member)
  return codes.flatMap((code) => textOf(entries[code]) ?? [])[0]
}

/** A text inside the entries of a field keyed by language, such as the titles in `Detail`. */
export function textWithin(subject: Subject, member: unknown, name: string): string | undefined {
  const entries = fieldsOf(member)
  return subject.languages.flatMap((code) => textOf(fieldsOf(entries[code])[name]) ?? [])[0]
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** State 2 is open, time code 1 the general opening hours (reference content.md 7.0). */
const open = 2
const general = 1

/** When a place is open, from `OperationSchedule`: only the general hours, not those of the kitchen. */
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

/** The day of a date-time text. */
export function dateOf(written: unknown): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(textOf(written) ?? '')?.[0]
}

/** What most types have: name, texts, picture, contact, address and position of a record. */
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

/** Every record has a name: its title, its short name, in the end its identifier. */
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

/** How somebody is reached, from an entry of `ContactInfos`. */
export function reachedBy(contact: Members): Readonly<Record<string, unknown>> {
  return {
    url: linkOf(textOf(contact['Url'])),
    telephone: textOf(contact['Phonenumber']),
    faxNumber: textOf(contact['Faxnumber']),
    email: textOf(contact['Email']),
  }
}

/** An entry of `ContactInfos` as a postal address. */
export function addressOf(contact: Members): LinkedNode | undefined {
  return toNode('PostalAddress', {
    streetAddress: textOf(contact['Address']),
    postalCode: textOf(contact['ZipCode']),
    addressLocality: textOf(contact['City']),
    addressRegion: textOf(contact['Region']),
    addressCountry: textOf(contact['CountryCode']) ?? textOf(contact['CountryName']),
  })
}

/** The municipality and region that the record lies in, where it has no address of its own. */
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

/** The languages in which a record has texts, as BCP 47 codes. */
export function languagesOf(record: Members): readonly string[] {
  return textsOf(record['HasLanguage'])
}
