import { positionOf } from '../position.ts'
import { listOf, membersOf, textOf, textsOf } from '../record-members.ts'
import type { Members } from '../record-members.ts'
import { linkOf, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { entryOf, textIn, textWithin } from './subject.ts'
import type { Subject } from './subject.ts'

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
  const location = membersOf(subject.record['LocationInfo'])
  return toNode('PostalAddress', {
    addressLocality: textIn(subject, membersOf(location['MunicipalityInfo'])['Name']),
    addressRegion: textIn(subject, membersOf(location['RegionInfo'])['Name']),
  })
}

export function geoOf(record: Members): LinkedNode | undefined {
  const [longitude, latitude, elevation] = positionOf(record)?.coordinates ?? []
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined
  return toNode('GeoCoordinates', { latitude, longitude, elevation })
}

/** The languages in which a record says something, as BCP 47 codes. */
export function languagesOf(record: Members): readonly string[] {
  return textsOf(record['HasLanguage'])
}
