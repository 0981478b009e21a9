import { toXmlCharacters } from './xml.ts'

/** The schema's length limit for a String and for each value of a MultilingualString. */
export const maxTextLength = 1024

/**
 * Converts a JSON value to the text that the schema requires, or returns undefined if it cannot.
 */
export type Convert = (value: unknown) => string | undefined

/** The spellings of an xs:boolean, with the canonical one. */
const flags: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['0', 'false'],
])

const types: Readonly<Record<string, Convert>> = {
  String: (value) => cut(toText(value)),
  LongString: toText,
  Boolean: (value) => flags.get(toText(value) ?? ''),
  DateTime: toDateTime,
  Time: (value) =>
    match(value, /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-3]):[0-5]\d)?$/),
  Language: toLanguage,
  Url: toUrl,
  Integer: (value) => {
    const number = Number(toNumber(value))
    return Number.isSafeInteger(number) ? String(number) : undefined
  },
}

const numbers = new Set(
  (
    'Float CubicMetres KilometresPerHour MetresAsFloat Percentage Seconds TemperatureCelsius Tonnes ' +
    'ConcentrationKilogramsPerCubicMetre ConcentrationMicrogramsPerCubicMetre ' +
    'IntensityKilogramsPerSquareMetre IntensityMillimetresPerHour'
  ).split(' '),
)

const counts = new Set(
  'NonNegativeInteger AngleInDegrees MetresAsNonNegativeInteger VehiclesPerHour'.split(' '),
)

/** Reports whether values of a simple type are numbers. */
export function isNumeric(typeName: string): boolean {
  return numbers.has(typeName) || counts.has(typeName) || typeName === 'Integer'
}

/**
 * Returns the converter of a simple type by its name without a prefix, or undefined if there is
 * none.
 */
export function toSimpleText(typeName: string): Convert | undefined {
  if (numbers.has(typeName)) return toNumber
  if (counts.has(typeName)) return toCount
  return types[typeName]
}

/** A restriction of a simple type. */
export type SimpleSpec = {
  readonly base: string
  readonly longest?: number
  readonly pattern?: string
  readonly most?: number
}

/**
 * Returns a converter for values of the base type within the restriction. Texts that are too long
 * are rejected, not shortened, because a shortened code is useless.
 */
export function restrict({ base, longest, pattern, most }: SimpleSpec): Convert | undefined {
  const convert = toSimpleText(base)
  const whole = pattern === undefined ? undefined : new RegExp(`^(?:${linear(pattern)})$`)
  return (value) => {
    const text = convert?.(value)
    if (text === undefined) return undefined
    if (longest !== undefined && text.length > longest) return undefined
    if (most !== undefined && Number(text) > most) return undefined
    return whole === undefined || whole.test(text) ? text : undefined
  }
}

/**
 * Rewrites a pattern of the schema to run in linear time. The schema's patterns are written for
 * other engines: in this one, a number whose digits can be split in many ways doubles the time for
 * each further number of a list.
 */
function linear(pattern: string): string {
  return pattern.replaceAll('[0-9]*\\.?[0-9]+', '(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)')
}

/** Returns a converter that accepts only the values of an enumeration. */
export function toMemberOf(allowed: ReadonlySet<string>): Convert {
  return (value) => (typeof value === 'string' && allowed.has(value) ? value : undefined)
}

/** Parses an `xs:language` tag. The underscore of locale names is accepted as a hyphen. */
export function toLanguage(value: unknown): string | undefined {
  const tag = typeof value === 'string' ? value.trim().replaceAll('_', '-') : ''
  return match(tag, /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/)
}

/** Cuts a text to the schema's length limit, never between the halves of a surrogate pair. */
export function cut(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= maxTextLength) return text
  return text.slice(0, isHighSurrogate(text, maxTextLength - 1) ? maxTextLength - 1 : maxTextLength)
}

export function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800
}

/**
 * Converts a string, number or boolean to text. Anything else has no obvious text: returns
 * undefined.
 */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return toXmlCharacters(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function match(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

/**
 * Converts a number to text at full double precision (decision D5). A number in quotes is accepted,
 * NaN and infinities are not.
 */
function toNumber(value: unknown): string | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? String(number) : undefined
}

function toCount(value: unknown): string | undefined {
  const number = Number(toNumber(value))
  return Number.isSafeInteger(number) && number >= 0 ? String(number) : undefined
}

/**
 * Converts a time to UTC with milliseconds. A time without a zone is UTC (decision D49). Years must
 * have four digits.
 */
function toDateTime(value: unknown): string | undefined {
  const instant = typeof value === 'string' ? parseInstant(value) : value
  if (!(instant instanceof Date) || Number.isNaN(instant.getTime())) return undefined
  const text = instant.toISOString()
  return text.length === 24 && !text.startsWith('0000') ? text : undefined
}

function parseInstant(text: string): Date {
  const lacksZone = text.includes('T') && !/(Z|[+-]\d\d:?\d\d)$/i.test(text)
  return new Date(lacksZone ? `${text}Z` : text)
}

/**
 * Converts an absolute http(s) URL to the characters of RFC 3986, because validators disagree on
 * anything looser.
 */
function toUrl(value: unknown): string | undefined {
  const href = typeof value === 'string' && URL.canParse(value) ? new URL(value).href : ''
  return match(href, /^https?:\/\/[a-z0-9.-]+(:\d+)?\/([\w.~!$&'()*+,;=:@/?#-]|%[0-9a-f]{2})*$/i)
}
