import type { ContentItem, Texts } from '../canonical.ts'
import type { Municipality, Site } from '../geography/geography.ts'
import { at, hash32 } from '../random.ts'
import type { Random } from '../random.ts'
import { day, idOf, isoOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { fill, mainLanguages, perLanguage, placeTexts } from '../phrase.ts'
import { demoTexts } from '../texts.ts'
import type { TagRow } from '../texts.ts'

/** All records of an entity. Each is generated when it is requested. */
export type Collection = {
  readonly entity: string
  readonly count: number
  readonly item: (index: number) => ContentItem
}

/** Fields that the records of all entities share (content.md 7.0). */

type About = {
  readonly id: string
  readonly source: string
  readonly name: Texts
  readonly random: Random
}

/**
 * Returns identifier, source, licence, times and publishers. One record in forty is closed, one in
 * fifty is inactive.
 */
export function baseOf(setting: Setting, { id, source, name, random }: About) {
  const changed =
    setting.until - Math.floor(random.next() ** 3 * 700) * day - random.between(1, 86_399) * 1000
  const isActive = !random.chance(0.02)
  return {
    Id: id,
    Shortname: name['de'] ?? name['en'] ?? id,
    Active: isActive,
    [setting.naming.active]: isActive && !random.chance(0.05),
    Source: source,
    LicenseInfo: {
      License: 'CC0',
      LicenseHolder: `https://${source}.example`,
      Author: '',
      ClosedData: closedSources.has(source) || random.chance(0.025),
    },
    FirstImport: isoOf(changed - random.between(1, 1500) * day),
    LastChange: isoOf(changed),
    PublishedOn: isActive ? random.some(publisherIds, random.between(0, 3)) : [],
    Mapping: { demo: { id: id.toLowerCase() } },
  }
}

/** Returns tags in the current field and in the field that old clients read. */
export function tagsOf(tags: readonly string[]) {
  return { TagIds: tags, SmgTags: tags }
}

/** Returns `GpsInfo` with the position, and with further positions by type. */
export function gpsOf(site: Site, others: Readonly<Record<string, Site>> = {}) {
  return Object.entries({ position: site, ...others }).map(([type, spot], index) => ({
    Gpstype: type,
    Latitude: spot.latitude,
    Longitude: spot.longitude,
    Altitude: spot.altitude,
    AltitudeUnitofMeasure: 'm',
    Default: index === 0,
  }))
}

type Gallery = {
  /** First word of the picture's key, which determines what is drawn. */
  readonly kind: string
  readonly id: string
  readonly name: Texts
  readonly count: number
}

/** Returns the URL of a picture that the hub draws itself. */
export function imageUrl({ publicUrl }: Setting, key: string): string {
  return `${publicUrl}/demo/images/${key}.svg`
}

/** Returns the key of a record's picture. The first picture has the number 1. */
export function imageKey(kind: string, id: string, number: number): string {
  const tail = id
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(-12)
  return `${kind}-${tail}-${number}`
}

/** Returns an `ImageGallery` of pictures that the hub draws itself. */
export function imagesOf(setting: Setting, { kind, id, name, count }: Gallery) {
  return Array.from({ length: count }, (_, index) => {
    const key = imageKey(kind, id, index + 1)
    return {
      ImageName: key,
      ImageUrl: imageUrl(setting, key),
      ...{ Width: 960, Height: 540, ListPosition: index, IsInGallery: true },
      ...{ ImageTitle: name, ImageAltText: name, ImageTags: [] },
      ...{ ImageSource: 'demo', CopyRight: 'Hub', License: 'CC0', LicenseHolder: 'Hub' },
    }
  })
}

type Contact = {
  readonly street: Texts
  readonly city: Texts
  readonly zip: string
  readonly phone: string
  readonly mobile: string
  readonly email: string
  readonly website: string
  readonly givenName: string
  readonly surname: string
}

/**
 * Returns a contact in a municipality. Phone numbers are unassigned; hosts of email and web end in
 * `.example`.
 */
export function contactOf(random: Random, { place }: Municipality, name: string): Contact {
  const host = `${toHostName(name)}.example`
  const street = fill(random.pick(demoTexts.names.streets))
  const number = random.between(1, 98)
  return {
    street: perLanguage(street, (_, text) => `${text} ${number}`),
    city: placeTexts(place),
    zip: place.zip,
    phone: `+39 0471 000 ${random.between(100, 999)}`,
    mobile: `+39 300 000 ${random.between(1000, 9999)}`,
    email: `info@${host}`,
    website: `https://www.${host}`,
    givenName: random.pick(demoTexts.names.firstNames),
    surname: random.pick(demoTexts.names.families),
  }
}

/** Returns `ContactInfos` in the main languages. */
export function contactInfosOf(contact: Contact, company: Texts) {
  return Object.fromEntries(
    mainLanguages.map((language) => [
      language,
      {
        Language: language,
        CompanyName: company[language] ?? '',
        Givenname: contact.givenName,
        Surname: contact.surname,
        Address: contact.street[language] ?? '',
        City: contact.city[language] ?? '',
        ZipCode: contact.zip,
        CountryCode: 'IT',
        CountryName: { de: 'Italien', it: 'Italia', en: 'Italy' }[language],
        Phonenumber: contact.phone,
        Email: contact.email,
        Url: contact.website,
      },
    ]),
  )
}

type DetailTexts = {
  readonly title: Texts
  readonly base: Texts
  readonly intro?: Texts
  readonly further?: Readonly<Record<string, Texts>>
}

/**
 * Returns `Detail`: one entry for each language of the title that also has a text. `further` has
 * more fields by name.
 */
export function detailOf({ title, base, intro = {}, further = {} }: DetailTexts) {
  const languages = Object.keys(title).filter((language) => language in base || language in intro)
  return Object.fromEntries(
    languages.map((language) => [
      language,
      {
        Language: language,
        Title: title[language] ?? '',
        IntroText: intro[language] ?? null,
        BaseText: base[language] ?? null,
        ...Object.fromEntries(
          Object.entries(further).map(([member, texts]) => [member, texts[language] ?? null]),
        ),
      },
    ]),
  )
}

/** Returns a name in all languages of another text, in English if it is missing. */
export function inLanguagesOf(texts: Texts, name: Texts): Texts {
  return perLanguage(texts, (language) => name[language] ?? name['en'] ?? '')
}

function toHostName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
}

/** Origins of the records. All data of a closed source is closed. */
const { sources: rows, publishers: publisherRows } = demoTexts.names

const closedSources = new Set(rows.flatMap(({ key, closed }) => (closed === true ? [key] : [])))

const publisherIds = publisherRows.map(({ key }) => key)

export function sources(setting: Setting): Collection {
  return {
    entity: 'Source',
    count: rows.length,
    item: (index) => {
      const { key, de, it, en } = at(rows, index)
      return {
        Id: key,
        Key: key,
        Shortname: en,
        Source: key,
        Name: { de, it, en },
        Description: {
          de: `${de} (erfundene Daten)`,
          it: `${it} (dati inventati)`,
          en: `${en} (invented data)`,
        },
        Url: `https://${key}.example`,
        Interfaces: [`${key}-push`],
        Types: ['content'],
        LicenseInfo: { License: 'CC0', ClosedData: false },
        Mapping: { demo: { id: idOf(setting, 'Source', key) } },
      }
    },
  }
}

export function publishers(): Collection {
  return {
    entity: 'Publisher',
    count: publisherRows.length,
    item: (index) => {
      const { key, de, it, en } = at(publisherRows, index)
      return {
        Id: key,
        Key: key,
        Shortname: en,
        Source: 'idm',
        Name: { de, it, en },
        Url: `https://${key}.example`,
        LicenseInfo: { License: 'CC0', ClosedData: false },
        PushConfig: [],
      }
    },
  }
}

type TagEntry = {
  readonly row: TagRow
  readonly source: string
  readonly type: string
  readonly validFor: string
}

const all = Object.values(demoTexts.tags.categories).flat()
const names = new Map<string, TagRow>(all.map((row) => [row[0], row]))

/**
 * Tags of the originating source exist next to the recommended ones, with identifiers of their own.
 */
const ltsId = (category: string) => `lts:${category.replaceAll(' ', '-')}`
const ltsRid = (category: string) =>
  [1, 2, 3, 4]
    .map((part) => (hash32(category, part) >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase()

export function tags(setting: Setting): Collection {
  const entries = entriesOf(setting)
  return {
    entity: 'Tag',
    count: entries.length,
    item: (index) => {
      const { row, source, type, validFor } = at(entries, index)
      const [id, de, it, en] = row
      return {
        Id: source === 'lts' ? ltsId(id) : id,
        Shortname: en,
        Active: true,
        Source: source,
        LicenseInfo: { License: 'CC0', ClosedData: false },
        TagName: { de, it, en },
        Description: {},
        Types: [type],
        ValidForEntity: [validFor],
        MainEntity: validFor,
        DisplayAsCategory: source === 'idm',
        [setting.naming.tagIds]: source === 'lts' ? [id] : [],
        LTSTaggingInfo: source === 'lts' ? { LTSRID: ltsRid(id), ParentLTSRID: '' } : null,
        Mapping: source === 'lts' ? { lts: { rid: ltsRid(id) } } : { idm: { id } },
        PublishDataWithTagOn: { 'holiday-portal': source === 'idm' },
      }
    },
  }
}

function entriesOf({ naming }: Setting): readonly TagEntry[] {
  const entity = (name: string) =>
    name === 'activityPoi' ? naming.activityPoi.toLowerCase() : name
  const recommended = Object.entries(demoTexts.tags.categories).flatMap(([name, rows]) =>
    rows.map((row) => ({
      ...{ row, source: 'idm', validFor: entity(name) },
      type: name === 'event' ? 'eventtopic' : `${naming.prefix.toLowerCase()}category`,
    })),
  )
  const ofSource = (demoTexts.tags.categories['activityPoi'] ?? []).map((row) => ({
    ...{ row, source: 'lts', validFor: entity('activityPoi'), type: 'ltscategory' },
  }))
  const ofTraffic = demoTexts.tags.trafficTags.map((row) => ({
    ...{ row, source: 'traffic', validFor: 'announcement', type: 'announcement' },
  }))
  return [...recommended, ...ofSource, ...ofTraffic]
}

/** Returns the tags of the originating source for a record with these categories. */
export function ltsTagsOf(ids: readonly string[]) {
  return ids.map((id, level) => {
    const [, de, it, en] = names.get(id) ?? [id, id, id, id]
    return { Id: ltsId(id), Level: level, LTSRID: ltsRid(id), TagName: { de, it, en }, LTSTins: [] }
  })
}

/** Returns the names of categories in a language. */
export function categoryNames(ids: readonly string[], language: string): readonly string[] {
  const column = { de: 1, it: 2, en: 3 }[language] ?? 3
  return ids.map((id) => names.get(id)?.[column] ?? id)
}
