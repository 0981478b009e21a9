import { isObject, numberOf, textOf } from '../../lang/json.ts'

export const versions = ['3.0', '2.3'] as const
export type Version = (typeof versions)[number]

/** Version and language in which a file is printed. Files of version 2.3 have one language each. */
export type Form = { readonly version: Version; readonly language: string }

/** Prints a value of a field as a version of the standard prescribes. */
export type Written = (form: Form) => unknown

/**
 * The type of a field of the standard. It is used for values in data and for values in a system's
 * file.
 */
export type Kind = {
  /** Description of valid values for error messages: `must be …`. */
  readonly expected: string
  /**
   * Reads a value; undefined if it is invalid.
   * @param languages languages of the system, the main one first
   */
  readonly read: (given: unknown, languages: readonly string[]) => Written | undefined
}

/** Creates a kind whose values are printed the same in all versions. */
function plain<Value>(expected: string, read: (given: unknown) => Value | undefined): Kind {
  return {
    expected,
    read: (given) => {
      const value = read(given)
      return value === undefined ? undefined : () => value
    },
  }
}

/** Returns a text. A number, such as a postcode, is accepted as a text. */
export function readText(given: unknown): string | undefined {
  return textOf(typeof given === 'number' ? String(given) : given)
}

function matching(expected: string, pattern: RegExp): Kind {
  return plain(expected, (given) => {
    const found = readText(given)
    return found !== undefined && pattern.test(found) ? found : undefined
  })
}

export const text = plain('a text', readText)
export const truth = plain('true or false', readTruth)
export const count = plain('a whole number, not below 0', readCount)
export const amount = plain('a number, not below 0', (given) => inRange(given, Number.MAX_VALUE))
export const share = plain('a number from 0 to 1', (given) => inRange(given, 1))
export const rate = plain('a number', numberOf)
export const date = plain('a day such as 2026-11-25', readDate)
export const uri = plain('a URL that begins with http:// or https://', readUri)
export const email = matching(
  'an email address',
  /^[\w.+-]{1,64}@[a-z\d]+(-[a-z\d]+)*(\.[a-z\d]+(-[a-z\d]+)*)+$/i,
)
export const phone = matching('a phone number such as +390471000000', /^\+[1-9]\d{1,14}$/)
export const currency = matching('a currency such as EUR', /^[A-Z]{3}$/)

export const timezone = plain('a time zone such as Europe/Rome', (given) =>
  timezones.has(readText(given) ?? '') ? readText(given) : undefined,
)

/** America/Coyhaique is missing in the standard's list of zones, which is older. */
const timezones: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('timeZone').filter((name) => name !== 'America/Coyhaique'),
)

export const oneOf = (...names: readonly string[]): Kind =>
  plain(`one of ${names.join(', ')}`, (given) => names.find((name) => name === given))

/** A time, printed as in RFC 3339, or before version 3 in seconds since 1970. */
export const time: Kind = {
  expected: 'a time such as 2026-11-25T12:00:00Z',
  read: (given) => {
    const found =
      given instanceof Date
        ? given
        : new Date(zonedTime.test(readText(given) ?? '') ? (readText(given) ?? '') : Number.NaN)
    return isTime(found) ? writeTime(found) : undefined
  },
}

const zonedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/**
 * Earliest time that is published. The standard dates from November 2015, and version 2.3 has no
 * earlier times.
 */
export const earliest = new Date('2016-01-01T00:00:00Z')
const latest = new Date('9999-12-31T23:59:59Z')

function isTime(found: Date): boolean {
  return found >= earliest && found <= latest
}

export function writeTime(moment: Date): Written {
  const [iso, seconds] = [
    `${moment.toISOString().slice(0, 19)}Z`,
    Math.floor(moment.getTime() / 1000),
  ]
  return ({ version }) => (version === '3.0' ? iso : seconds)
}

/**
 * Creates a kind for a text in each language of the system. A text without translations is used for
 * all of them.
 */
function localizedOf(single: Kind): Kind {
  return {
    expected: `${single.expected}, or one for each language`,
    read: (given, languages) => {
      const texts = readLocalized(given, (one) => single.read(one, languages) !== undefined)
      const [first] = Object.values(texts)
      if (first === undefined) return undefined
      const all = languages.map((language) => ({ text: texts[language] ?? first, language }))
      return ({ version, language }) => (version === '3.0' ? all : (texts[language] ?? first))
    },
  }
}

export const localized = localizedOf(text)
export const localizedUri = localizedOf(uri)

function readLocalized(
  given: unknown,
  fits: (one: unknown) => boolean,
): Readonly<Record<string, string>> {
  const entries = isObject(given) ? Object.entries(given) : [['', given] as const]
  return Object.fromEntries(
    entries.flatMap(([language, one]) => {
      const found = readText(one)
      return found !== undefined && fits(found) ? [[language, found] as const] : []
    }),
  )
}

/** Creates a kind for a list. All its items must be valid. */
export function listOf(kind: Kind): Kind {
  return {
    expected: `a list, each item ${kind.expected}`,
    read: (given, languages) => {
      if (!Array.isArray(given) || given.length === 0) return undefined
      const items: readonly unknown[] = given
      const read = items.map((item) => kind.read(item, languages))
      const whole = read.filter((item) => item !== undefined)
      return whole.length === read.length ? (form) => whole.map((item) => item(form)) : undefined
    },
  }
}

/** The page for renting. URLs that open apps are not supported. */
export const rentalUris: Kind = {
  expected: uri.expected,
  read: (given, languages) => {
    const web = uri.read(given, languages)
    return web === undefined ? undefined : (form) => ({ web: web(form) })
  },
}

/** Rings must be closed and have at least four positions (RFC 7946 section 3.1.6). */
export const multiPolygon = plain('the coordinates of a MultiPolygon', (given) =>
  isList(given, (polygon) => isList(polygon, isRing))
    ? { type: 'MultiPolygon', coordinates: given }
    : undefined,
)

function isList(value: unknown, check: (item: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(check)
}

function isRing(ring: unknown): boolean {
  if (!isList(ring, isPosition) || ring.length < 4) return false
  return String(ring[0]) === String(ring.at(-1))
}

function isPosition(position: unknown): boolean {
  if (!Array.isArray(position) || position.length !== 2) return false
  const pair: readonly unknown[] = position
  const [longitude, latitude] = pair
  return (
    typeof longitude === 'number' &&
    typeof latitude === 'number' &&
    isPlace({ longitude, latitude })
  )
}

/** Reports whether a position is possible. 0, 0 denotes an unknown one. */
export function isPlace({
  longitude,
  latitude,
}: {
  readonly longitude: number
  readonly latitude: number
}): boolean {
  const isNowhere = longitude === 0 && latitude === 0
  return !isNowhere && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
}

export function readCount(given: unknown): number | undefined {
  const number = typeof given === 'boolean' ? undefined : numberOf(given)
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) + 0 : undefined
}

export function readTruth(given: unknown): boolean | undefined {
  if (given === true || given === 1 || given === 'true' || given === '1') return true
  if (given === false || given === 0 || given === 'false' || given === '0') return false
  return undefined
}

export function inRange(given: unknown, most: number): number | undefined {
  const number = numberOf(given)
  return number !== undefined && number >= 0 && number <= most ? number : undefined
}

function readDate(given: unknown): string | undefined {
  const found = readText(given)
  if (found === undefined || !/^\d{4}-\d\d-\d\d$/.test(found)) return undefined
  const moment = new Date(`${found}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(found)
    ? found
    : undefined
}

/** Stricter than browsers: accepts only what RFC 3986 allows, in the encoding that it requires. */
const uriPattern =
  /^https?:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:[/?#](?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i

function readUri(given: unknown): string | undefined {
  const found = readText(given)
  return found !== undefined && uriPattern.test(found) && URL.canParse(found) ? found : undefined
}

export const languagePattern = '^[a-z]{2,3}(-[A-Z]{2})?$'

/** SPDX identifiers of licences that are used for data and that the standard recognizes. */
const identifiers = [
  ...['CC0-1.0', 'CC-BY-3.0', 'CC-BY-4.0', 'CC-BY-SA-3.0', 'CC-BY-SA-4.0', 'CC-BY-NC-4.0'],
  ...['CC-BY-ND-4.0', 'CC-BY-NC-SA-4.0', 'CC-BY-NC-ND-4.0', 'ODbL-1.0', 'ODC-By-1.0'],
  ...['PDDL-1.0', 'CDLA-Permissive-2.0', 'DL-DE-BY-2.0', 'etalab-2.0', 'NLOD-2.0', 'OGL-UK-3.0'],
]

export type Licence = {
  /** Version 2.3 supports only URLs. */
  readonly url: string
  readonly identifier?: string
}

/** Finds a licence by its URL, or by its identifier in any letter case, with spaces or hyphens. */
export function licenceOf(written: string): Licence | undefined {
  const wanted = written.trim().replaceAll(' ', '-').toLowerCase()
  const identifier = identifiers.find((one) => one.toLowerCase() === (shortened[wanted] ?? wanted))
  if (identifier !== undefined) {
    return { identifier, url: `https://spdx.org/licenses/${identifier}.html` }
  }
  return uri.read(written, []) === undefined ? undefined : { url: written.trim() }
}

const shortened: Readonly<Record<string, string>> = { cc0: 'cc0-1.0' }
