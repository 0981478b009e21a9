import type { TimeRules } from '../definition/members.ts'
import { ExpressionFault } from '../faults.ts'
import { isNothing, shown, textOf } from './values.ts'
import { compilePattern } from './time-format.ts'
import type { ReadTime, WrittenTime } from './time-format.ts'
import { offsetOf, parseOffset, toMoments } from './zone.ts'

/** What tells the two hours apart that a clock shows in autumn. A message has one of its own. */
export type Hours = {
  /** When the message came, in epoch milliseconds. */
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

/** Formats of times that are numbers, with the milliseconds of one. */
const epochs = new Map([
  ['epoch-s', 1000],
  ['epoch-ms', 1],
])

/** What is wrong with a format, or undefined. */
export function formatFault(format: string): string | undefined {
  if (format === 'iso' || epochs.has(format)) return undefined
  const pattern = compilePattern(format)
  return typeof pattern === 'string' ? pattern : undefined
}

/**
 * `$time(value, format?, zone?, key?)`: a moment in UTC (ISO 8601), from a text or a number in one of the
 * formats; nothing for nothing, blank texts and the values that mean "no time". Of a time that comes twice the
 * second is meant where the one before it of the same key is as late, or where the message came soon after it.
 * @throws ExpressionFault for what fits no format, and for days and hours that do not exist
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
    throw new ExpressionFault(`${shown(value)} is no time in the format ${formats.join(' or ')}`)
  }
}

/** A message that comes so soon after the second hour tells of it, not of the first. */
const soon = 3_600_000
/** By so much clocks of others may be ahead. */
const ahead = 300_000

function choose([first, second]: Moments, { received, last }: Hours, key: string | undefined) {
  const before = key === undefined ? undefined : last.get(key)
  const isRecent = second !== undefined && received >= second - ahead && received < second + soon
  const isSecond = before === undefined ? isRecent : first <= before
  const chosen = second !== undefined && isSecond ? second : first
  if (key !== undefined && last.size < mostKeys) last.set(key, chosen)
  return chosen
}

/** A payload must not fill the memory by its keys. */
const mostKeys = 100_000

/**
 * `$dayEnd(value, format?, zone?)`: the moment at which a day ends, read as by `$time`: for dates that are meant to be
 * included.
 * @throws ExpressionFault as `$time` does
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

/** @returns undefined when the text names an offset that no zone has, such as +19:00 */
function inZone({ local, zone: own }: WrittenTime, zone: string): Moments | undefined {
  if (own !== undefined) {
    const offset = parseOffset(own)
    return offset === undefined ? undefined : [local - offset]
  }
  const offsetAt = offsetOf(zone)
  if (offsetAt === undefined) throw new ExpressionFault(`There is no time zone ${shown(zone)}`)
  return toMoments(local, offsetAt)
}

const readers = new Map<string, readonly ReadTime[]>()

/** Compiled once; a format that the payload itself gives must not fill the memory. */
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

/** Years of four digits: others are not times that can be stored. */
function toIso(moment: number, value: unknown): string {
  if (moment >= firstMoment && moment <= lastMoment) return new Date(moment).toISOString()
  throw new ExpressionFault(`${shown(value)} is outside of the years 0001 to 9999`)
}

const firstMoment = Date.parse('0001-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')
