import { findRegion, toMoments } from '../../../lang/zone.ts'
import type { OffsetAt } from '../../../lang/zone.ts'
import type { TimeRules } from '../definition/definition.ts'
import { ExpressionFault } from '../faults.ts'
import { isNothing, shown, textOf } from './values.ts'

/** Maximum number of cached offsets per zone: more than half a year of quarter hours. */
const remembered = 20_000

const known = new Map<string, OffsetAt | undefined>()

/**
 * Returns the clock of `UTC`, of an offset such as `+01:00`, or of an IANA name. Undefined if there
 * is none.
 */
export function offsetOf(zone: string): OffsetAt | undefined {
  if (!known.has(zone)) {
    if (known.size > 100) known.clear()
    known.set(zone, findOffset(zone))
  }
  return known.get(zone)
}

function findOffset(zone: string): OffsetAt | undefined {
  const fixed = parseOffset(zone)
  if (fixed !== undefined) return () => fixed
  return findRegion(zone, remembered)?.offsetAt
}

/** Parses an offset such as `Z`, `+02`, `+0200` and `+02:00` to milliseconds. */
function parseOffset(text: string): number | undefined {
  if (/^(z|utc|gmt)$/i.test(text)) return 0
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^([+-])(\d\d):?(\d\d)?(?::?(\d\d))?$/.exec(text) ?? []
  if (hours === undefined || Number(hours) > 18 || Number(minutes) > 59) return undefined
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (sign === '-' ? -size : size) * 1000
}

/** A time as written: its local time as if it were UTC, and the offset if the text has one. */
type WrittenTime = { readonly local: number; readonly zone: string | undefined }

/** Parses a text. Returns undefined if it does not match. */
type ReadTime = (text: string) => WrittenTime | undefined

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone' | 'half'

/** Meaning of the letters of a pattern (as in Unicode TR 35, numbers only), longest first. */
const letters: readonly (readonly [token: string, field: Field, pattern: string])[] = [
  ['yyyy', 'year', String.raw`\d{4}`],
  ['yy', 'year', String.raw`\d\d`],
  ['MM', 'month', String.raw`\d\d`],
  ['M', 'month', String.raw`\d\d?`],
  ['dd', 'day', String.raw`\d\d`],
  ['d', 'day', String.raw`\d\d?`],
  ['HH', 'hour', String.raw`\d\d`],
  ['H', 'hour', String.raw`\d\d?`],
  ['hh', 'hour', String.raw`\d\d`],
  ['h', 'hour', String.raw`\d\d?`],
  ['mm', 'minute', String.raw`\d\d`],
  ['m', 'minute', String.raw`\d\d?`],
  ['ss', 'second', String.raw`\d\d`],
  ['s', 'second', String.raw`\d\d?`],
  ['a', 'half', '[AaPp][Mm]'],
  ['X', 'zone', String.raw`Z|z|[+-]\d\d(?::?\d\d)?`],
]

type Pattern = { readonly regex: RegExp; readonly fields: readonly Field[] }

/**
 * Compiles a pattern such as `dd/MM/yyyy HH:mm:ss.S X`: `S` is 1 to 9 decimals, `X` an offset or Z,
 * `a` AM or PM, `[…]` an optional part, `'…'` literal letters; `T` is literal, too.
 * @returns a string with the reason if the pattern is not valid
 */
export function compilePattern(pattern: string): ReadTime | string {
  const parts = toParts(pattern)
  if (typeof parts === 'string') return parts
  const { regex, fields } = parts
  if (!fields.includes('year') || !fields.includes('month') || !fields.includes('day')) {
    return 'has no year, month and day (yyyy, MM, dd)'
  }
  return (text) => {
    const found = regex.exec(text)
    if (found === null) return undefined
    const values = new Map<Field, string>()
    fields.forEach((field, index) => {
      const value = found[index + 1]
      if (value !== undefined) values.set(field, value)
    })
    return toWritten(values)
  }
}

function toParts(pattern: string): Pattern | string {
  const fields: Field[] = []
  let source = ''
  for (let rest = pattern; rest !== '';) {
    const quoted = /^'((?:[^']|'')*)'/.exec(rest)
    const letter = letters.find(([token]) => rest.startsWith(token))
    const [first = ''] = rest
    if (quoted !== null) source += escaped((quoted[1] ?? '').replaceAll("''", "'") || "'")
    else if (rest.startsWith('S')) {
      fields.push('fraction')
      source += String.raw`(\d{1,9})`
    } else if (letter !== undefined) {
      fields.push(letter[1])
      source += `(${letter[2]})`
    } else if (first === '[') source += '(?:'
    else if (first === ']') source += ')?'
    else if (/[A-Za-z]/.test(first) && first !== 'T') return `has the unknown letter ${first}`
    else source += escaped(first)
    rest = rest.slice(quoted?.[0].length ?? letter?.[0].length ?? /^S+/.exec(rest)?.[0].length ?? 1)
  }
  if (new Set(fields).size < fields.length) return 'has the same field twice'
  try {
    return { regex: new RegExp(`^${source}$`), fields }
  } catch {
    return 'has a [ without ]'
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/**
 * Returns the time of parsed fields. Undefined for one that does not exist, such as 31 February.
 */
function toWritten(values: ReadonlyMap<Field, string>): WrittenTime | undefined {
  const number = (field: Field) => Number(values.get(field) ?? 0)
  const [month, day, minute, second] = [
    number('month'),
    number('day'),
    number('minute'),
    number('second'),
  ]
  const year = values.get('year')?.length === 2 ? 2000 + number('year') : number('year')
  const hour = toHour(number('hour'), values.get('half'))
  if (minute > 59 || second > 60 || hour > 24 || (hour === 24 && minute + second > 0))
    return undefined
  const midnight = Date.UTC(year, month - 1, day)
  const date = new Date(midnight)
  if (year < 100 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const milliseconds = Math.floor(Number(`0.${values.get('fraction') ?? '0'}`) * 1000)
  const local = midnight + hour * 3_600_000 + minute * 60_000 + second * 1000 + milliseconds
  return { local, zone: values.get('zone') }
}

/**
 * Converts a 12-hour clock to 24 hours: 12 AM is 0, 12 PM is 12. Without `half` the hour stays as
 * it is. An hour outside of 1 to 12 becomes 25, which no day has.
 */
function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return 25
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

/** State that distinguishes the two repeated hours in autumn. Each message has its own. */
export type Hours = {
  /** When the message was received, in epoch milliseconds. */
  received: number
  /** The last moment that was read for each key. */
  readonly last: Map<string, number>
}

export const noHours = (): Hours => ({ received: Number.NaN, last: new Map() })

const iso = [
  'yyyy-MM-dd[THH:mm[:ss[.S]][X]]',
  'yyyy-MM-dd[ HH:mm[:ss[.S]][X]]',
  'yyyyMMddTHHmmss[X]',
]

/** Formats of numeric times, with the milliseconds of one unit. */
const epochs = new Map([
  ['epoch-s', 1000],
  ['epoch-ms', 1],
])

/** Returns what is wrong with a format, or undefined. */
export function formatFault(format: string): string | undefined {
  if (format === 'iso' || epochs.has(format)) return undefined
  const pattern = compilePattern(format)
  return typeof pattern === 'string' ? pattern : undefined
}

/**
 * Implements `$time(value, format?, zone?, key?)`: returns a time in UTC (ISO 8601) from a text or
 * a number in one of the formats. Missing values, blank texts and the values that mean "no time"
 * give nothing. A time that occurs twice in autumn is the second one if the previous time of the
 * same key is at least as late as the first one, or, without a previous time, if the message was
 * received soon after the second one.
 * @throws ExpressionFault for what matches no format, and for days and hours that do not exist
 */
export function timeReader(rules: TimeRules, hours: Hours = noHours()) {
  const none = new Set((rules.none ?? []).map(String))
  return (value: unknown, format: unknown, zone: unknown, key?: unknown): string | undefined => {
    if (isNothing(value)) return undefined
    const text = textOf(value, 'time').trim()
    if (text === '' || none.has(text)) return undefined
    const formats = isNothing(format) ? (rules.formats ?? ['iso']) : [format].flat().map(String)
    const moments = readMoments(
      text,
      formats,
      isNothing(zone) ? (rules.zone ?? 'UTC') : textOf(zone, 'time'),
    )
    if (moments !== undefined) {
      return toIso(choose(moments, hours, isNothing(key) ? undefined : textOf(key, 'time')), value)
    }
    throw new ExpressionFault(
      `${shown(value)} is not a valid time in the format ${formats.join(' or ')}`,
    )
  }
}

/**
 * Milliseconds after the second of two repeated times within which a message is taken to mean it.
 */
const soon = 3_600_000
/** Milliseconds by which the clocks of senders may be ahead. */
const ahead = 300_000

function choose([first, second]: Moments, { received, last }: Hours, key: string | undefined) {
  const before = key === undefined ? undefined : last.get(key)
  const isRecent = second !== undefined && received >= second - ahead && received < second + soon
  const isSecond = before === undefined ? isRecent : first <= before
  const chosen = second !== undefined && isSecond ? second : first
  if (key !== undefined && last.size < maxKeys) last.set(key, chosen)
  return chosen
}

/** Maximum number of keys, so that a payload cannot fill the memory. */
const maxKeys = 100_000

/**
 * Implements `$dayEnd(value, format?, zone?)`: returns the time at which a day ends, parsed like by
 * `$time`, for dates that are meant to be included.
 * @throws ExpressionFault like `$time`
 */
export function dayEndReader(rules: TimeRules) {
  const read = timeReader(rules)
  return (value: unknown, format: unknown, zone: unknown): string | undefined => {
    const moment = read(value, format, zone)
    if (moment === undefined) return undefined
    const offsetAt = offsetOf(isNothing(zone) ? (rules.zone ?? 'UTC') : textOf(zone, 'dayEnd'))
    if (offsetAt === undefined) return moment
    const at = Date.parse(moment)
    const local = at + offsetAt(at)
    const nextDay = (Math.floor(local / day) + 1) * day
    return toIso(toMoments(nextDay, offsetAt)[0], value)
  }
}

const day = 86_400_000

type Moments = ReturnType<typeof toMoments>

function readMoments(text: string, formats: readonly string[], zone: string): Moments | undefined {
  for (const format of formats) {
    const size = epochs.get(format)
    if (size !== undefined) {
      if (/^[+-]?\d+(\.\d+)?$/.test(text)) return [Math.round(Number(text) * size)]
      continue
    }
    for (const read of readersOf(format)) {
      const written = read(text)
      const moment = written === undefined ? undefined : inZone(written, zone)
      if (moment !== undefined) return moment
    }
  }
  return undefined
}

/**
 * Converts a written time. Returns undefined if it has an offset that no zone has, such as +19:00.
 * @throws ExpressionFault if there is no such zone
 */
function inZone({ local, zone: own }: WrittenTime, zone: string): Moments | undefined {
  if (own !== undefined) {
    const offset = parseOffset(own)
    return offset === undefined ? undefined : [local - offset]
  }
  const offsetAt = offsetOf(zone)
  if (offsetAt === undefined) throw new ExpressionFault(`${shown(zone)} is not a valid time zone`)
  return toMoments(local, offsetAt)
}

const readers = new Map<string, readonly ReadTime[]>()

/**
 * Returns the readers of a format, compiled once. The cache is limited, because a payload may bring
 * its own formats.
 */
function readersOf(format: string): readonly ReadTime[] {
  const before = readers.get(format)
  if (before !== undefined) return before
  const compiled = (format === 'iso' ? iso : [format]).map((pattern) => {
    const read = compilePattern(pattern)
    if (typeof read === 'string') throw new ExpressionFault(`The format ${shown(format)} ${read}`)
    return read
  })
  if (readers.size >= 200) readers.clear()
  readers.set(format, compiled)
  return compiled
}

/**
 * Prints a time in ISO 8601. Only years of four digits can be stored.
 * @throws ExpressionFault for any other year
 */
function toIso(moment: number, value: unknown): string {
  if (moment >= firstMoment && moment <= lastMoment) return new Date(moment).toISOString()
  throw new ExpressionFault(`${shown(value)} is outside of the years 0001 to 9999`)
}

const firstMoment = Date.parse('0001-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')
