import type { Entity } from '../content/index.ts'
import { isObject } from '../lang/json.ts'

/** Measures that a condition on a single record defines, in the order of display. */
export const conditions = [
  'title',
  'text',
  'picture',
  'pictureLicence',
  'licence',
  'position',
] as const

/** Measures that require comparing records. */
export const comparisons = ['outlier', 'duplicate'] as const

/** The kind of a figure: what is counted among the records. */
export type Measure = {
  readonly measure: (typeof conditions)[number] | (typeof comparisons)[number]
  /**
   * The language in which something is missing; null if the measure does not depend on language.
   */
  readonly language: string | null
}

/** Returns the key of a measure, such as `text.it`. */
export function keyOf({ measure, language }: Measure): string {
  return language === null ? measure : `${measure}.${language}`
}

/** A measure with the `rawfilter` that selects the counted records. */
export type Condition = Measure & { readonly filter: string }

/** The languages in which every record should have texts. */
const languages = ['de', 'it', 'en']

/** Returns the conditions for what records of an entity can lack, derived from its schema. */
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

/** Reports whether the records of an entity have positions to compare. */
export function isPlaced({ schema }: Entity): boolean {
  return 'GpsInfo' in schema.properties
}

/** Returns a filter for a field without a value, or with an empty text. */
function lacks(path: string): string {
  return `or(isnull(${path}),eq(${path},''))`
}

/**
 * Returns a filter that selects the records with these identifiers, as many as fit into an
 * expression.
 */
export function filterOfIds(ids: readonly string[]): string | null {
  const fitting: string[] = []
  let length = 0
  for (const written of ids.map(quote)) {
    length += written.length + 1
    if (length > maxListLength) break
    fitting.push(written)
  }
  return fitting.length === 0 ? null : `in(Id,${fitting.join(',')})`
}

/** Limit in characters. An expression may have 4,000, including what is added to this one. */
const maxListLength = 3500

/**
 * Restricts a filter to the records of one source; an empty text stands for records without a
 * source.
 */
export function ofSource(source: string, filter: string): string {
  return source === ''
    ? `and(isnull(_Meta.Source),${filter})`
    : `and(eq(_Meta.Source,${quote(source)}),${filter})`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * Reports whether a schema has a field at a path. `*` matches any language; the items of lists are
 * searched.
 */
function hasField(schema: unknown, [name, ...further]: readonly string[]): boolean {
  if (name === undefined) return true
  if (!isObject(schema)) return false
  if (isObject(schema['items'])) return hasField(schema['items'], [name, ...further])
  const own = isObject(schema['properties']) ? schema['properties'] : {}
  const keyed = isObject(schema['patternProperties']) ? schema['patternProperties'] : {}
  const found = name === '*' ? Object.values(keyed)[0] : own[name]
  return found !== undefined && hasField(found, further)
}
