import type { Entity } from '../content/index.ts'
import { isObject } from '../lang/json.ts'

/** What is measured of records by a condition, in the order in which it is shown. */
export const conditions = [
  'title',
  'text',
  'picture',
  'pictureLicence',
  'licence',
  'position',
] as const

/** What is measured by comparing records, which no condition on one record can say. */
export const comparisons = ['outlier', 'duplicate'] as const

/** One figure: how many records are affected by something. */
export type Measure = {
  readonly measure: (typeof conditions)[number] | (typeof comparisons)[number]
  /** The language in which something is missing; null where languages do not matter. */
  readonly language: string | null
}

/** What a figure measures, in one word: `text.it`. */
export function keyOf({ measure, language }: Measure): string {
  return language === null ? measure : `${measure}.${language}`
}

/** A measure with the `rawfilter` of the list that it counts. */
export type Condition = Measure & { readonly filter: string }

/** The languages in which every record should have texts. */
const languages = ['de', 'it', 'en']

/** What can be missing from records of an entity, which follows from its schema. */
export function conditionsOf({ schema, titles }: Entity): readonly Condition[] {
  const has = (...path: readonly string[]) => hasField(schema, path)
  const inLanguages = (measure: 'title' | 'text', path: string) =>
    languages.map((language) => ({ measure, language, filter: lacks(path.replace('*', language)) }))
  const once = (measure: Condition['measure'], filter: string) => [
    { measure, language: null, filter },
  ]
  const title = titles.find((path) => path.includes('*'))
  const texts = ['Detail.*.BaseText', 'AccoDetail.*.Longdesc'].find((path) =>
    has(...path.split('.')),
  )
  const picture = 'ImageGallery.0'
  return [
    ...(title === undefined ? [] : inLanguages('title', title)),
    ...(texts === undefined ? [] : inLanguages('text', texts)),
    ...(has('ImageGallery')
      ? [
          ...once('picture', lacks(`${picture}.ImageUrl`)),
          ...once(
            'pictureLicence',
            `and(isnotnull(${picture}.ImageUrl),${lacks(`${picture}.License`)})`,
          ),
        ]
      : []),
    ...once('licence', lacks('LicenseInfo.License')),
    ...(has('GpsInfo') ? once('position', lacks('GpsInfo.0.Latitude')) : []),
  ]
}

/** Whether records can be compared by where they are. */
export function isPlaced({ schema }: Entity): boolean {
  return 'GpsInfo' in schema.properties
}

/** No value, or one without a character. */
function lacks(path: string): string {
  return `or(isnull(${path}),eq(${path},''))`
}

/** A filter of the records with these identifiers, as many as fit into an expression. */
export function filterOfIds(ids: readonly string[]): string | null {
  const fitting: string[] = []
  let length = 0
  for (const written of ids.map(quote)) {
    length += written.length + 1
    if (length > longestList) break
    fitting.push(written)
  }
  return fitting.length === 0 ? null : `in(Id,${fitting.join(',')})`
}

/** Characters; an expression may have 4,000 with what is added to this one. */
const longestList = 3500

/** The same filter, for the records of one source. */
export function ofSource(source: string, filter: string): string {
  return source === ''
    ? `and(isnull(_Meta.Source),${filter})`
    : `and(eq(_Meta.Source,${quote(source)}),${filter})`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Whether a schema has a field at a path; `*` stands for any language, and lists are looked into. */
function hasField(schema: unknown, [name, ...further]: readonly string[]): boolean {
  if (name === undefined) return true
  if (!isObject(schema)) return false
  if (isObject(schema['items'])) return hasField(schema['items'], [name, ...further])
  const own = isObject(schema['properties']) ? schema['properties'] : {}
  const keyed = isObject(schema['patternProperties']) ? schema['patternProperties'] : {}
  const found = name === '*' ? Object.values(keyed)[0] : own[name]
  return found !== undefined && hasField(found, further)
}
