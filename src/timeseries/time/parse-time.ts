import { parseTimeZone } from './time-zone.ts'
import type { TimeZone } from './time-zone.ts'

/**
 * time := date [ "T" [ HH ] [ ":" mm ] [ ":" ss ] [ "." SSS ] ] [ zone ]
 * date := yyyy "-" MM "-" dd
 * zone := ("+" | "-") HH [ ":" ] mm | name without a slash, such as Z, UTC or CET
 */
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d)?(?::(\d\d))?(?::(\d\d))?(?:\.(\d{3}))?)?([+-]\d\d:?\d\d|[A-Za-z]+)?$/

/**
 * A time as paths and expressions give it (reference 2.8, without impossible days: decision D49).
 * Without a zone it is UTC; `T24:00` is the start of the next day.
 * @returns ISO 8601 in UTC, or undefined when it is none
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
  return ofDay === undefined ? undefined : toInstant(date + ofDay, zone)
}

/** `Date.parse` takes 31 February for 2 March. */
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

/** The moment at which clocks of the zone show a local time; within a gap, the one after it. */
function toInstant(local: number, zone: TimeZone): string | undefined {
  const offset = zone.kind === 'utc' ? 0 : zone.offsetAt(local - zone.offsetAt(local))
  const iso = new Date(local - offset).toISOString()
  return /^\d{4}-/.test(iso) && !iso.startsWith('0000') ? iso : undefined
}
