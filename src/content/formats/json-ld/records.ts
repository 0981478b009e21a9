import { fieldsOf, numberOf, textOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import {
  entryOf,
  geoOf,
  linkOf,
  localityOf,
  nameOf,
  openingHoursOf,
  textIn,
  textWithin,
  thingOf,
  toNode,
} from './parts.ts'
import type { LinkedNode, Subject } from './parts.ts'

/** Describes an article, a recipe or an announcement (reference content.md 4.3). */
export function toArticle(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  const { geo: _nowhere, address: _either, ...thing } = thingOf(subject)
  const article = {
    ...thing,
    datePublished: textOf(record['LastChange']),
    dateModified: textOf(record['LastChange']),
    dateCreated: textOf(record['FirstImport']),
    inLanguage: textOf(entryOf(subject, subject.record['Detail'])['Language']),
  }
  if (isOfType(record, /^(rezeptartikel|recipe)$/i)) return toRecipe(subject, article)
  if (isOfType(record, /^specialannouncement$/i)) return toNode('SpecialAnnouncement', article)
  return toNode('Article', {
    ...article,
    headline: nameOf(subject),
    datePublished: textOf(record['ArticleDate']) ?? article.datePublished,
  })
}

function toRecipe(subject: Subject, article: Members): LinkedNode | undefined {
  const elements = elementsOf(subject)
  return toNode('Recipe', {
    ...article,
    recipeIngredient: ingredientsOf(elements),
    recipeInstructions: joined([elements['zubereitungstext'], elements['tipptext']], '\n'),
    recipeYield: textOf(elements['personen']),
    prepTime: durationOf(elements['vorbereitungszeit']),
    cookTime: durationOf(elements['zeit']),
    nutrition: toNode('NutritionInformation', { calories: textOf(elements['kalorien']) }),
    recipeCategory: textOf(elements['kategorie']),
    recipeCuisine: textOf(elements['artkueche']),
    keywords: textOf(elements['keywords']),
    aggregateRating: ratingOf(elements['bewertung']),
    author: toNode('Organization', { name: textOf(elements['author']) }),
  })
}

/**
 * Reports whether an article has a type, which is that of the public system or its English name.
 */
function isOfType({ Type, SubType }: Members, wanted: RegExp): boolean {
  return [Type, SubType].some((type) => wanted.test(textOf(type) ?? ''))
}

/** Returns the fields of the article's form (`zutat1`, `personen` …), with names in lower case. */
function elementsOf(subject: Subject): Members {
  const entry = bestEntry(subject)
  const elements = Object.entries(fieldsOf(entry['Elements']))
  return Object.fromEntries(elements.map(([name, value]) => [name.toLowerCase(), value]))
}

function bestEntry({ record, languages }: Subject): Members {
  const entries = fieldsOf(record['AdditionalArticleInfos'])
  const found = languages.map((code) => fieldsOf(entries[code]))
  return found.find((entry) => Object.keys(fieldsOf(entry['Elements'])).length > 0) ?? {}
}

function ingredientsOf(elements: Members): readonly string[] {
  return Object.entries(elements)
    .flatMap(([name, value]) => {
      const number = /^zutat(\d+)$/.exec(name)?.[1]
      const text = textOf(value)
      return number === undefined || text === undefined ? [] : [{ number: Number(number), text }]
    })
    .sort((left, right) => left.number - right.number)
    .map(({ text }) => text)
}

function joined(parts: readonly unknown[], separator: string): string {
  return parts.flatMap((part) => textOf(part) ?? []).join(separator)
}

/** Converts `1:30` to the duration PT1H30M (ISO 8601). Anything that is not a time is left out. */
function durationOf(written: unknown): string | undefined {
  const [, hours, minutes] = /^(\d{1,3}):(\d\d)$/.exec(textOf(written) ?? '') ?? []
  return hours === undefined ? undefined : `PT${String(Number(hours))}H${String(Number(minutes))}M`
}

/** Parses a rating such as `4-12`: the value, and the number of ratings. */
function ratingOf(written: unknown): LinkedNode | undefined {
  const [, value, count] = /^([\d.]+)-(\d+)$/.exec(textOf(written) ?? '') ?? []
  if (value === undefined) return undefined
  return toNode('AggregateRating', {
    ratingValue: Number(value),
    ratingCount: Number(count),
    bestRating: 10,
  })
}

/**
 * Describes an accommodation. `AccoDetail` has its texts and address (reference content.md 4.3).
 */
export function toHotel(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  const detail = entryOf(subject, record['AccoDetail'])
  const category = textOf(record['AccoCategoryId']) ?? ''
  return toNode('Hotel', {
    ...thingOf(subject),
    name: textWithin(subject, record['AccoDetail'], 'Name') ?? nameOf(subject),
    description:
      textWithin(subject, record['AccoDetail'], 'Longdesc') ??
      textWithin(subject, record['AccoDetail'], 'Shortdesc'),
    url: linkOf(textOf(detail['Website'])),
    telephone: textOf(detail['Phone']),
    faxNumber: textOf(detail['Fax']),
    email: textOf(detail['Email']),
    address:
      toNode('PostalAddress', {
        streetAddress: textOf(detail['Street']),
        postalCode: textOf(detail['Zip']),
        addressLocality: textOf(detail['City']),
        addressCountry: textOf(detail['CountryCode']),
      }) ?? localityOf(subject),
    starRating: toNode('Rating', { ratingValue: starsOf(category) }),
    priceRange: priceRangeOf(category),
    aggregateRating: reviewOf(subject),
  })
}

/** Returns the number of stars. `3sstars` is 3.5; flowers and suns count like stars. */
function starsOf(category: string): number | undefined {
  const [, level, superior] = /^([1-5])(s?)(?:star|flower|sun)s?$/.exec(category) ?? []
  return level === undefined ? undefined : Number(level) + (superior === 's' ? 0.5 : 0)
}

function priceRangeOf(category: string): string | undefined {
  const stars = starsOf(category)
  if (stars === undefined) return undefined
  if (stars <= 2) return '€'
  if (stars < 4) return '€€'
  return stars === 4 ? '€€€' : '€€€€'
}

/** Returns the rating by reviews. Scores range from 0 to 1000; state 2 means enough reviews. */
function reviewOf({ record }: Subject): LinkedNode | undefined {
  const review = fieldsOf(fieldsOf(record['Review'])['trustyou'])
  const score = numberOf(review['Score'])
  const count = numberOf(review['Results'])
  const isShown = review['Active'] === true && review['StateInteger'] === 2
  if (!isShown || score === undefined || count === undefined) return undefined
  return toNode('AggregateRating', {
    ratingValue: score / 10,
    bestRating: 100,
    reviewCount: count,
  })
}

/** Describes a ski area, or a ski region. */
export function toSkiResort(subject: Subject): LinkedNode | undefined {
  const { record } = subject
  return toNode('SkiResort', {
    ...thingOf(subject),
    openingHoursSpecification: openingHoursOf(record),
    hasMap: linkOf(textOf(record['SkiAreaMapURL'])),
    isAccessibleForFree: false,
    priceRange: priceRangeOfPass(record),
    parentOrganization: toNode('Organization', { name: textIn(subject, record['SkiRegionName']) }),
  })
}

/** Estimates the price range of a ski pass: the more slopes, the more expensive. */
function priceRangeOfPass(record: Members): string | undefined {
  const kilometres = numberOf(record['TotalSlopeKm'])
  if (kilometres === undefined) return undefined
  if (kilometres < 20) return '€'
  return kilometres < 60 ? '€€' : '€€€'
}

/** Describes a record as one node of a type of schema.org. */
type Describe = (subject: Subject) => LinkedNode | undefined

const named =
  (type: string): Describe =>
  (subject) =>
    toNode(type, { ...thingOf(subject), name: nameIn(subject) })

/** Describes a measurement or a forecast, and its place. */
const observation: Describe = (subject) => {
  const { record } = subject
  const dates = [record['LastUpdate'], record['Date'], record['lastUpdated'], record['date']]
  const { geo, address, ...thing } = thingOf(subject)
  const name = nameIn(subject)
  return toNode('Observation', {
    ...thing,
    name,
    observationDate: dates.flatMap((date) => textOf(date) ?? [])[0],
    observationAbout: toNode('Place', { name, geo: geo ?? stationOf(subject), address }),
  })
}

function stationOf({ record: { latitude, longitude, altitude: elevation } }: Subject) {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return toNode('GeoCoordinates', { latitude, longitude, elevation })
}

const webcam: Describe = (subject) => {
  const { record } = subject
  const camera = fieldsOf(record['WebCamProperties'])
  const { geo: _of, image: _seen, ...thing } = thingOf(subject)
  const link = (...members: readonly unknown[]) =>
    members.flatMap((member) => linkOf(textOf(member)) ?? [])[0]
  return toNode('ImageObject', {
    ...thing,
    contentUrl: link(camera['WebcamUrl'], record['Webcamurl']),
    embedUrl: link(camera['StreamUrl'], record['Streamurl']),
    thumbnailUrl: link(camera['PreviewUrl'], record['Previewurl']),
    contentLocation: toNode('Place', { geo: geoOf(record) }),
  })
}

export const toDataset: Describe = (subject) => {
  const { record } = subject
  return toNode('Dataset', {
    ...thingOf(subject),
    url: linkOf(textOf(record['ApiUrl'])),
    license: textOf(fieldsOf(record['LicenseInfo'])['License']),
    dateModified: textOf(record['LastChange']),
  })
}

/** Returns the name of a record. Without `Detail`, names by language are in other fields. */
function nameIn(subject: Subject): string {
  const { record } = subject
  const names = [record['Name'], record['TagName'], record['MunicipalityName']]
  const byLanguage = names.flatMap((name) => textIn(subject, name) ?? [])[0]
  const plain = textOf(record['name']) ?? textOf(record['DistrictName'])
  return byLanguage ?? plain ?? nameOf(subject)
}

/** Describers of further entities, by the type of the entity. */
export const furtherDescribers: Readonly<Record<string, Describe>> = {
  accommodationroom: named('HotelRoom'),
  announcement: named('SpecialAnnouncement'),
  geoshape: named('Place'),
  measuringpoint: observation,
  publisher: named('Organization'),
  source: named('Organization'),
  tag: named('DefinedTerm'),
  weather: observation,
  weatherdistrict: observation,
  weatherforecast: observation,
  weatherrealtime: observation,
  webcam,
  wineaward: named('Product'),
}
