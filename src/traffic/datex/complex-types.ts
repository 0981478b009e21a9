import written from './fallbacks.json' with { type: 'json' }
import schema from './schema.json' with { type: 'json' }
import { toXmlCharacters } from './xml.ts'

/** The allowed values of each enumeration. */
export const enumerations: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(schema.enumerations).map(([name, values]) => [name, new Set(values)]),
)

/** The schema's limit for String and for each value of a MultilingualString. */
export const longestText = 1024

/** Turns a JSON value into the text that the schema wants, or says that it cannot by `undefined`. */
type Convert = (value: unknown) => string | undefined

const types: Readonly<Record<string, Convert>> = {
  String: (value) => cut(toText(value)),
  Boolean: (value) => (/^(true|false)$/.test(String(value)) ? String(value) : undefined),
  DateTime: toDateTime,
  Time: (value) =>
    match(value, /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-3]):[0-5]\d)?$/),
  Language: toLanguage,
  Url: toUrl,
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

/** How values of a simple type are written; `undefined` when the name is not one of a simple type. */
export function converterOf(typeName: string): Convert | undefined {
  const allowed = enumerations.get(typeName)
  if (allowed !== undefined) return (value) => (isMember(allowed, value) ? value : undefined)
  if (numbers.has(typeName)) return toNumber
  if (counts.has(typeName)) return toCount
  return types[typeName]
}

/** `xs:language`; the underscore of locale names is forgiven. */
export function toLanguage(value: unknown): string | undefined {
  const tag = typeof value === 'string' ? value.trim().replaceAll('_', '-') : ''
  return match(tag, /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/)
}

/** Cuts a text to what the schema takes, never between the halves of a surrogate pair. */
export function cut(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= longestText) return text
  return text.slice(0, isHighSurrogate(text, longestText - 1) ? longestText - 1 : longestText)
}

export function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800
}

/** Text, numbers and truth values have an obvious text; nothing else has. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return toXmlCharacters(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function isMember(allowed: ReadonlySet<string>, value: unknown): value is string {
  return typeof value === 'string' && allowed.has(value)
}

function match(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

/** Full double precision (decision D5); a number in quotes counts. NaN and infinities do not. */
function toNumber(value: unknown): string | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? String(number) : undefined
}

function toCount(value: unknown): string | undefined {
  const number = Number(toNumber(value))
  return Number.isSafeInteger(number) && number >= 0 ? String(number) : undefined
}

/** Milliseconds and UTC; a time without a zone is UTC (decision D49). Years have four digits. */
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

/** An absolute web address in the characters of RFC 3986; validators differ on anything looser. */
function toUrl(value: unknown): string | undefined {
  const href = typeof value === 'string' && URL.canParse(value) ? new URL(value).href : ''
  return match(href, /^https?:\/\/[a-z0-9.-]+(:\d+)?\/([\w.~!$&'()*+,;=:@/?#-]|%[0-9a-f]{2})*$/i)
}

/**
 * A complex type of the DATEX II v2 schema (namespace 2_0, model 2.3), as `scripts/datex-schema.ts` prints it.
 * A field is its type with a quantifier as in regular expressions: none (exactly one), `?`, `*`, `+`,
 * `{min,max}`. The order of fields is the order of the schema.
 */
export type TypeSpec = {
  /** The type whose fields come first. */
  readonly parent?: string
  /** An abstract type is written as one of its descendants, named by `xsi:type`. */
  readonly abstract?: boolean
  /** Required attributes: `text`, `index` (a whole number), or `=…` for a fixed value. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, string>>
}

const typeSpecs: Readonly<Record<string, TypeSpec>> = schema.types

/** Values of required fields that an event does not have: the least that can be stated. */
const fallbacks: Readonly<Record<string, unknown>> = written

/** One element inside a complex type. */
export type Member = {
  readonly name: string
  readonly type: string
  readonly min: number
  readonly max: number
  /** Written when a required field is missing or wrong. */
  readonly fallback: unknown
}

/** A complex type with everything it inherits, in the order of the schema. */
export type ComplexType = {
  readonly name: string
  readonly abstract: boolean
  readonly ancestors: readonly string[]
  readonly attributes: readonly (readonly [name: string, rule: string])[]
  readonly members: readonly Member[]
  /** All names that a value of this type may use. */
  readonly names: ReadonlySet<string>
}

const quantifiers: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '': [1, 1],
  '?': [0, 1],
  '*': [0, Infinity],
  '+': [1, Infinity],
}

/** `DayEnum{0,7}` → type, least and greatest number. */
function parseQuantity(text: string): Pick<Member, 'type' | 'min' | 'max'> {
  const [, type = '', quantifier = '', least = '', most = ''] =
    /^(\w+)(\?|\*|\+|\{(\d+),(\d*)\})?$/.exec(text) ?? []
  const [min, max] = quantifiers[quantifier] ?? [Number(least), Number(most || Infinity)]
  return { type, min, max }
}

function toMember(of: string, name: string, text: string): Member {
  return { name, fallback: fallbacks[`${of}.${name}`], ...parseQuantity(text) }
}

function toComplexType(name: string, spec: TypeSpec): ComplexType {
  const parentSpec = spec.parent === undefined ? undefined : typeSpecs[spec.parent]
  const parent = parentSpec && toComplexType(spec.parent ?? '', parentSpec)
  const members = Object.entries(spec.members).map(([member, text]) => toMember(name, member, text))
  const attributes = [...(parent?.attributes ?? []), ...Object.entries(spec.attributes ?? {})]
  const all = [...(parent?.members ?? []), ...members]
  return {
    name,
    abstract: spec.abstract === true,
    ancestors: parent === undefined ? [] : [parent.name, ...parent.ancestors],
    attributes,
    members: all,
    names: new Set([
      'type',
      ...attributes.map(([key]) => key),
      ...all.map((member) => member.name),
    ]),
  }
}

/** Every complex type of the tables, by its name in the schema. */
export const complexTypes: ReadonlyMap<string, ComplexType> = new Map(
  Object.entries(typeSpecs).map(([name, spec]) => [name, toComplexType(name, spec)]),
)

/** The concrete types of situation records, by their names. */
export const recordTypes: Readonly<Record<string, ComplexType>> = Object.fromEntries(
  [...complexTypes].filter(
    ([, { abstract, ancestors }]) => !abstract && ancestors.includes('SituationRecord'),
  ),
)

export function isRecordType(name: string): boolean {
  return Object.hasOwn(recordTypes, name)
}
