import { findRegion, toMoments, withPlus } from '../lang/zone.ts'
import type { OffsetAt } from '../lang/zone.ts'

/**
 * Converts a timestamp to its only canonical spelling: ISO 8601 in UTC with six decimals, the
 * precision of PostgreSQL. Two spellings of one moment become the same text.
 * @param written ISO 8601 with a zone and up to nine decimals
 * @returns undefined for anything that is not a moment of the years 0001 to 9999 UTC
 */
export function toInstant(written: string): string | undefined {
  if (isPlainMoment(written)) return `${written.slice(0, -1)}${missing[written.length] ?? ''}Z`
  const isUtc = written.endsWith('Z')
  const milliseconds = Date.parse(isUtc ? written : written.replace(offsetWithoutColon, '$1:$2'))
  if (Number.isNaN(milliseconds)) return undefined
  const iso = new Date(milliseconds).toISOString()
  // Years outside of 0000 to 9999 are printed with a sign and six digits.
  if (iso.length !== longest || iso.startsWith('0000')) return undefined
  const beyond = written.length > longest ? (/\.\d{3}(\d{1,3})/.exec(written)?.[1] ?? '') : ''
  return `${iso.slice(0, -1)}${beyond.padEnd(3, '0')}Z`
}

/**
 * Reports whether a timestamp has the usual form: in UTC, on a day that every month has, with no,
 * three or six decimals. Such a text is always a valid moment, and this test takes a sixth of the
 * time of making a date of it.
 */
export function isPlainMoment(written: string): boolean {
  return plainMoment.test(written)
}

/** Characters that complete a plain moment to six decimals, by its length. */
const missing: Readonly<Record<number, string>> = { 20: '.000000', 24: '000' }

const plainMoment =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3}(?:\d{3})?)?Z$/

const offsetWithoutColon = /([+-]\d\d)(\d\d)$/

/** Length of a timestamp in UTC with milliseconds. */
const longest = 24

/**
 * A time zone: its offset from UTC in milliseconds, a multiple of whole minutes, at a moment in
 * epoch milliseconds. Its name is from the IANA time zone database, or an offset such as `+02:00`.
 */
export type TimeZone =
  | { readonly kind: 'utc'; readonly name: 'UTC' }
  | {
      readonly kind: 'offset'
      readonly name: string
      readonly offsetAt: OffsetAt
    }

export const utc: TimeZone = { kind: 'utc', name: 'UTC' }

const minute = 60_000

/** Maximum number of cached offsets for each zone of a request: about 30 years of quarter hours. */
const rememberedOffsets = 1_000_000

/**
 * Parses a time zone: an IANA name, `UTC`, `Z`, `GMT`, or an offset such as `+02:00`, `+0200`, `+2`
 * and `UTC+2` (reference 2.8). An unencoded "+" in a query string arrives as a space, which is
 * accepted, in names such as `Etc/GMT+5`, too.
 * @returns undefined for an unknown zone
 */
export function parseTimeZone(written: string): TimeZone | undefined {
  const name = written.trim()
  if (/^(z|utc|gmt|ut)$/i.test(name)) return utc
  const repaired = written.replace(' ', '+').trim()
  return parseOffset(name) ?? parseOffset(repaired) ?? regionOf(name) ?? regionOf(repaired)
}

/**
 * Returns the zone with an IANA name. Until about 1900 offsets had seconds, which printed times
 * cannot state, so they are rounded to minutes, like the offsets that callers write. Names that
 * start with a sign are excluded, because `Intl` accepts offsets as names, even wider ones than any
 * zone has.
 */
function regionOf(name: string): TimeZone | undefined {
  const region = /^[+-]/.test(name) ? undefined : findRegion(name, rememberedOffsets)
  if (region === undefined) return undefined
  const { offsetAt } = region
  return {
    kind: 'offset',
    name: region.name,
    offsetAt: (moment) => Math.round(offsetAt(moment) / minute) * minute,
  }
}

const offsetPattern = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d\d))?(?::?(\d\d))?$/i

/** Java's limit, which is wider than any zone ever was. */
const widestOffset = 18 * 60 * minute

function parseOffset(written: string): TimeZone | undefined {
  const [, sign, hours, minutes = '0', seconds = '0'] = offsetPattern.exec(written) ?? []
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const size = (Number(hours) * 60 + Number(minutes) + Math.round(Number(seconds) / 60)) * minute
  if (size > widestOffset) return undefined
  const offset = sign === '-' ? -size : size
  const digits = printOffset(offset)
  return {
    kind: 'offset',
    name: `${digits.slice(0, 3)}:${digits.slice(3)}`,
    offsetAt: () => offset,
  }
}

/**
 * time := date [ "T" [ HH ] [ ":" mm ] [ ":" ss ] [ "." SSS ] ] [ zone ]
 * date := yyyy "-" MM "-" dd
 * zone := ("+" | "-") HH [ ":" ] mm | name without a slash, such as Z, UTC or CET
 */
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d)?(?::(\d\d))?(?::(\d\d))?(?:\.(\d{3}))?)?([+-]\d\d:?\d\d|[A-Za-z]+)?$/

/**
 * Parses a time of a path or an expression (reference 2.8, without impossible days: decision D49).
 * Without a zone it is in UTC. `T24:00` is the start of the next day.
 * @returns ISO 8601 in UTC, or undefined if the text is not a valid time
 */
export function parseTime(written: string): string | undefined {
  const found = pattern.exec(written)
  if (found === null) return undefined
  const [, year, month, day, hour, minute, second, fraction, zoneName = 'Z'] = found
  const zone = parseTimeZone(zoneName)
  const date = Date.parse(`${year ?? ''}-${month ?? ''}-${day ?? ''}T00:00:00Z`)
  if (zone === undefined || year === '0000' || !isDay(date, Number(day))) return undefined
  const [hours, minutes, seconds, milliseconds] = [hour, minute, second, fraction].map((part) =>
    Number(part ?? 0),
  )
  const ofDay = toTimeOfDay({ hours, minutes, seconds, milliseconds })
  return ofDay === undefined ? undefined : zonedInstant(date + ofDay, zone)
}

/** Accepted forms of a time, for error messages. */
export const timeForms = ['yyyy-MM-dd', 'yyyy-MM-ddTHH:mm:ss', 'yyyy-MM-ddTHH:mm:ss.SSS+ZZZZ']

/**
 * Returns advice on how to write, in an expression, a text that looks like a time: one in the form
 * that the hub prints, one with a "+" that arrived as a space, or one with a number of decimals
 * other than three.
 */
export function adviseTime(written: string): string {
  const time = withPlus(written)
    .replace(/^(\S{10}) (?=\d\d:)/, '$1T')
    .replace(/\.\d+/, (fraction) => fraction.padEnd(4, '0').slice(0, 4))
  if (parseTime(time) === undefined) {
    return 'Write a time as 2026-11-20T10:15:00Z; in a URL, the + of +01:00 is %2B'
  }
  if (time === written) return `Write ${time} without quotes`
  return time.includes('+') ? `Write ${time}; in a URL, + is %2B` : `Write ${time}`
}

/** Reports whether the day exists in its month: `Date.parse` turns 31 February into 2 March. */
function isDay(date: number, day: number): boolean {
  return !Number.isNaN(date) && new Date(date).getUTCDate() === day
}

type TimeOfDay = {
  readonly hours: number | undefined
  readonly minutes: number | undefined
  readonly seconds: number | undefined
  readonly milliseconds: number | undefined
}

function toTimeOfDay({ hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }: TimeOfDay) {
  const rest = (minutes * 60 + seconds) * 1000 + milliseconds
  const exists = minutes < 60 && seconds < 60 && (hours < 24 || (hours === 24 && rest === 0))
  return exists ? hours * 3_600_000 + rest : undefined
}

/**
 * Returns the first moment at which clocks of the zone show a local time, or undefined outside of
 * the years 0001 to 9999. A time that clocks skip moves forward by the length of the gap.
 */
function zonedInstant(local: number, zone: TimeZone): string | undefined {
  const [moment] = zone.kind === 'utc' ? [local] : toMoments(local, zone.offsetAt)
  const iso = new Date(moment).toISOString()
  return /^\d{4}-/.test(iso) && !iso.startsWith('0000') ? iso : undefined
}

/** Converts a time that PostgreSQL printed in UTC to the form of the interface (decision D49). */
export type PrintTime = (printed: string) => string

/**
 * Returns a function that prints times as `yyyy-MM-dd HH:mm:ss.SSS+ZZZZ` in a zone. For UTC it
 * rearranges the text of PostgreSQL, which is several times as fast as any calendar; digits beyond
 * the millisecond are cut off. A moment whose local year is outside of 0001 to 9999 is printed in
 * UTC, where the year of every moment is in that range.
 */
export function timePrinter(zone: TimeZone): PrintTime {
  if (zone.kind === 'utc') return printInUtc
  return (printed) => {
    const moment = Date.parse(
      `${printed.slice(0, 10)}T${printed.slice(11, 19)}.${fractionOf(printed)}Z`,
    )
    const offset = zone.offsetAt(moment)
    const local = new Date(moment + offset).toISOString()
    if (local.length !== longest || local.startsWith('0000')) return printInUtc(printed)
    return `${local.slice(0, 10)} ${local.slice(11, 23)}${printOffset(offset)}`
  }
}

function printInUtc(printed: string): string {
  return `${printed.slice(0, 19)}.${fractionOf(printed)}+0000`
}

/** Returns the milliseconds of a text such as `2024-06-01 00:00:00.5+00` as three digits. */
function fractionOf(printed: string): string {
  if (printed.charAt(19) !== '.') return '000'
  return printed.slice(20, -3).slice(0, 3).padEnd(3, '0')
}

function printOffset(offset: number): string {
  const minutes = Math.abs(offset) / minute
  const digits = String(Math.floor(minutes / 60) * 100 + (minutes % 60)).padStart(4, '0')
  return `${offset < 0 ? '-' : '+'}${digits}`
}
