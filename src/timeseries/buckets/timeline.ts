import { LanguageError, createCursor } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { TimeZone } from '../time.ts'

/**
 * Length of a bucket: a part of a day by the clock, or whole calendar days or months, which are not
 * all equally long.
 */
export type BucketLength =
  | { readonly kind: 'clock'; readonly milliseconds: number }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'months'; readonly months: number }

type Kind = BucketLength['kind']

/** A unit of length. `size` is in seconds, days or months, depending on `kind`. */
type Unit = { readonly name: string; readonly kind: Kind; readonly size: number }

const secondsOfDay = 86_400

const second: Omit<Unit, 'name'> = { kind: 'clock', size: 1 }
const minute: Omit<Unit, 'name'> = { kind: 'clock', size: 60 }
const hour: Omit<Unit, 'name'> = { kind: 'clock', size: 3600 }
const day: Omit<Unit, 'name'> = { kind: 'days', size: 1 }
const weekUnit: Omit<Unit, 'name'> = { kind: 'days', size: 7 }
const month: Omit<Unit, 'name'> = { kind: 'months', size: 1 }
const year: Omit<Unit, 'name'> = { kind: 'months', size: 12 }

/** Units of lengths such as `15m`. `m` comes after the longer names that start with it. */
const shortUnits: readonly Unit[] = [
  { name: 'min', ...minute },
  { name: 'mo', ...month },
  { name: 's', ...second },
  { name: 'm', ...minute },
  { name: 'h', ...hour },
  { name: 'd', ...day },
  { name: 'w', ...weekUnit },
  { name: 'y', ...year },
]

/** Units of ISO 8601 durations, in the order that the standard requires. */
const dateUnits: readonly Unit[] = [
  { name: 'Y', ...year },
  { name: 'M', ...month },
  { name: 'W', ...weekUnit },
  { name: 'D', ...day },
]
const timeUnits: readonly Unit[] = [
  { name: 'H', ...hour },
  { name: 'M', ...minute },
  { name: 'S', ...second },
]

/** Examples of lengths, for error messages. */
export const bucketForms = ['15m', '1h', '1d', '1w', '1mo', '1y', 'PT15M', 'P1D', 'P3M'] as const

/** Maximum sizes: a day for lengths by the clock, a thousand years for the others. */
const longest: Readonly<Record<Kind, number>> = {
  clock: secondsOfDay,
  days: 365_250,
  months: 12_000,
}

/**
 * Parses the length of buckets: length = amount | iso
 *
 * Amounts of one kind are added up: `PT1H30M` is 90 minutes. 24 hours are a day.
 * @throws LanguageError with the position and what was expected there
 */
export function parseBucketLength(source: string): BucketLength {
  const cursor = createCursor(source)
  const amounts = accepts(cursor, 'P') ? readIso(cursor) : [readAmount(cursor, shortUnits)]
  if (!cursor.isAtEnd()) throw cursor.fail('the end')
  return toLength(amounts)
}

type Amount = { readonly unit: Unit; readonly count: number; readonly position: number }

/** amount = digit , { digit } , unit */
function readAmount(cursor: Cursor, units: readonly Unit[]): Amount {
  const position = cursor.position()
  const digits = cursor.match(/\d{1,6}/y)
  if (digits === undefined) throw cursor.fail('a whole number of at most 6 digits')
  if (cursor.match(/(?=\d)/y) !== undefined) throw cursor.fail('at most 6 digits')
  const unit = units.find(({ name }) => accepts(cursor, name))
  if (unit === undefined) throw cursor.fail(...units.map(({ name }) => `"${name}"`))
  return { unit, count: Number(digits), position }
}

/** iso = "P" , ( { amount } , "T" , amount , { amount } | amount , { amount } ) */
function readIso(cursor: Cursor): readonly Amount[] {
  const dates = isBeforeTime(cursor) ? [] : readAmounts(cursor, dateUnits)
  return accepts(cursor, 'T') ? [...dates, ...readAmounts(cursor, timeUnits)] : dates
}

/** Parses one or more amounts. Each unit may occur once, after all longer units. */
function readAmounts(cursor: Cursor, units: readonly Unit[]): readonly Amount[] {
  const first = readAmount(cursor, units)
  const left = units.slice(units.indexOf(first.unit) + 1)
  const isOver = cursor.isAtEnd() || isBeforeTime(cursor) || left.length === 0
  return isOver ? [first] : [first, ...readAmounts(cursor, left)]
}

function isBeforeTime(cursor: Cursor): boolean {
  return cursor.match(/(?=t)/iy) !== undefined
}

/** Accepts letters in upper or lower case. ISO 8601 uses upper case only. */
function accepts(cursor: Cursor, letters: string): boolean {
  return cursor.accept(letters) || cursor.accept(letters.toLowerCase())
}

function toLength(written: readonly Amount[]): BucketLength {
  // Programs may write every part, such as P0DT15M.
  const amounts = written.filter(({ count }) => count > 0)
  const kinds = new Set(amounts.map(({ unit: { kind } }) => kind))
  const [kind = 'clock', other] = kinds
  const mixed = amounts.find(({ unit }) => unit.kind === other)
  if (mixed !== undefined) {
    throw new LanguageError(
      `A bucket cannot combine ${namesOf[kind]} with ${namesOf[mixed.unit.kind]}: not every day has 24 hours, nor every month 30 days.`,
      { position: mixed.position, expected: bucketForms },
    )
  }
  const size = amounts.reduce((sum, { unit, count }) => sum + unit.size * count, 0)
  assertLength(kind, size)
  if (kind === 'months') return { kind, months: size }
  if (kind === 'days') return { kind, days: size }
  return size === secondsOfDay ? { kind: 'days', days: 1 } : { kind, milliseconds: size * 1000 }
}

function assertLength(kind: Kind, size: number): void {
  const problem = size === 0 ? 'A bucket needs a length greater than zero.' : tooLong[kind]
  if (size > 0 && size <= longest[kind]) return
  throw new LanguageError(problem, { position: 0, expected: bucketForms })
}

const namesOf: Readonly<Record<Kind, string>> = {
  clock: 'hours, minutes or seconds',
  days: 'days',
  months: 'months',
}

const tooLong: Readonly<Record<Kind, string>> = {
  clock: 'Hours, minutes and seconds make at most a day; longer buckets are counted in days.',
  days: 'A bucket is at most a thousand years long.',
  months: 'A bucket is at most a thousand years long.',
}

/** Starts of buckets by the local clock. Local times are in milliseconds, as if they were UTC. */
type LocalGrid = {
  /** Returns the last start at or before a local time. */
  readonly floor: (local: number) => number
  /** Returns the start of the next bucket. */
  readonly next: (beginning: number) => number
}

const oneDay = 86_400_000

/** Start of the count of days: a Monday, so that seven days are a week of ISO 8601. */
const firstMonday = Date.UTC(2000, 0, 3)

/**
 * Returns where buckets of a length start. Parts of a day are counted from midnight, and the last
 * one may be shorter; days and weeks from Monday 2000-01-03; months and years from the year 0, so
 * that three months are a quarter and ten years a decade.
 */
function localGrid(length: BucketLength): LocalGrid {
  switch (length.kind) {
    case 'clock':
      return partsOfDay(length.milliseconds)
    case 'days':
      return evenly(firstMonday, length.days * oneDay)
    case 'months':
      return {
        floor: (local) => monthStart(multiple(monthOf(local), length.months)),
        next: (beginning) => monthStart(monthOf(beginning) + length.months),
      }
  }
}

function evenly(origin: number, step: number): LocalGrid {
  return {
    floor: (local) => origin + multiple(local - origin, step),
    next: (beginning) => beginning + step,
  }
}

function partsOfDay(step: number): LocalGrid {
  const midnight = (local: number) => multiple(local, oneDay)
  return {
    floor: (local) => midnight(local) + multiple(local - midnight(local), step),
    next: (beginning) => Math.min(beginning + step, midnight(beginning) + oneDay),
  }
}

function multiple(value: number, step: number): number {
  return Math.floor(value / step) * step
}

/** Returns the number of months since the year 0. */
function monthOf(local: number): number {
  const date = new Date(local)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Returns the start of a month. `Date.UTC` would map the years 0 to 99 to 1900 to 1999. */
function monthStart(month: number): number {
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month - multiple(month, 12), 1)
}

/** Starts of buckets in epoch milliseconds. Each bucket ends where the next one starts. */
export type Timeline = {
  /** Returns the start of the bucket that contains a moment. */
  readonly beginningOf: (moment: number) => number
  readonly after: (beginning: number) => number
}

/**
 * Returns the timeline of buckets by the local clock of a zone. Days and longer buckets are as long
 * as they are in the zone: the day on which clocks change has 23 or 25 hours. Shorter buckets occur
 * twice if a repeated hour contains them as a whole. A bucket that contains more than the repeated
 * hour is longer by that hour, as with `round` of `Temporal.ZonedDateTime`.
 */
export function timelineOf(length: BucketLength, zone: TimeZone): Timeline {
  const [spanAt, grid] = [steadyClock(zone), localGrid(length)]
  return length.kind === 'clock' ? clockTimeline(spanAt, grid) : calendarTimeline(spanAt, grid)
}

function calendarTimeline(spanAt: SpanAt, { floor, next }: LocalGrid): Timeline {
  const localBeginning = (moment: number) => floor(moment + spanAt(moment).offset)
  return {
    beginningOf: (moment) => momentOf(spanAt, localBeginning(moment)),
    after: (beginning) => momentOf(spanAt, next(localBeginning(beginning))),
  }
}

function clockTimeline(spanAt: SpanAt, { floor, next }: LocalGrid): Timeline {
  const after = (beginning: number): number => {
    const { offset, until } = spanAt(beginning)
    const local = floor(beginning + offset)
    const end = next(local) - offset
    if (end < until) return end
    const { offset: changed } = spanAt(until)
    const goesOn = floor(until + changed) === local && local - changed < until
    return goesOn ? next(local) - changed : until
  }
  const beginningOf = (moment: number): number => {
    let span = spanAt(moment - 2 * oneDay)
    while (span.until <= moment) span = spanAt(span.until)
    const beginning = floor(moment + span.offset) - span.offset
    if (beginning >= span.from) return beginning
    // Clocks have just changed: the bucket starts with the change, or continues from before it.
    const before = beginningOf(span.from - 1)
    const next = after(before)
    return next <= moment ? next : before
  }
  return { beginningOf, after }
}

/** A time span in which the offset of a zone does not change. All values are in milliseconds. */
type Span = {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** Returns the span that contains a moment. It lasts a week from there, or until clocks change. */
type SpanAt = (moment: number) => Span

const quarterHour = 900_000
const oneHour = 3_600_000
const week = 168 * oneHour

/** Limit in milliseconds that is wider than the offset of any zone. */
const widestOffset = 18 * oneHour

type KnownSpan = Span & { readonly isChanged: boolean }

/**
 * Returns the spans of a zone. Moments are mostly requested in order, so the last span is cached
 * and extended.
 */
function steadyClock(zone: TimeZone): SpanAt {
  if (zone.kind === 'utc') {
    const always = { from: -Infinity, until: Infinity, offset: 0 }
    return () => always
  }
  const { offsetAt } = zone
  let last: KnownSpan = { from: Infinity, until: -Infinity, offset: 0, isChanged: true }
  return (moment) => {
    const isInside = last.from <= moment && moment < last.until
    if (isInside && (last.isChanged || moment + week <= last.until)) return last
    const begun = isInside ? last : { from: moment, until: moment, offset: offsetAt(moment) }
    last = longer(offsetAt, begun)
    return last
  }
}

/**
 * Extends a span by two weeks, or until clocks change. One check per week is enough, because no
 * zone has changed its clocks and changed them back within a week.
 */
function longer(offsetAt: (moment: number) => number, { from, until, offset }: Span): KnownSpan {
  for (const end of [until + week, until + 2 * week]) {
    if (offsetAt(end) !== offset) {
      return { from, until: changeBetween(offsetAt, end - week, end), offset, isChanged: true }
    }
  }
  return { from, until: until + 2 * week, offset, isChanged: false }
}

/**
 * Finds the time at which clocks change between two moments. A `TimeZone` has an offset for each
 * quarter of an hour, so clocks change at one of these.
 */
function changeBetween(offsetAt: (moment: number) => number, start: number, end: number): number {
  const before = offsetAt(start)
  let [same, other] = [Math.floor(start / quarterHour), Math.floor(end / quarterHour)]
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (offsetAt(middle * quarterHour) === before) same = middle
    else other = middle
  }
  return other * quarterHour
}

/**
 * Returns the first moment at which clocks show a local time, or the moment of the jump if they
 * skip it.
 * @param local milliseconds, as if the local time were UTC
 */
function momentOf(spanAt: SpanAt, local: number): number {
  let span = spanAt(local - widestOffset)
  while (local - span.offset >= span.until) span = spanAt(span.until)
  return Math.max(span.from, local - span.offset)
}

/** Consecutive buckets of the same width. Moments and widths are in milliseconds. */
export type Piece = {
  /** Start of the first bucket, possibly before `from`. */
  readonly origin: number
  readonly width: number
  /** Part of these buckets that is read. */
  readonly from: number
  readonly until: number
}

/** Consecutive buckets that are read together. */
export type BucketWindow = {
  readonly pieces: readonly Piece[]
  readonly count: number
  /** Whether the range ends with this window. */
  readonly isLast: boolean
}

/**
 * Returns the next buckets of a range, at most `count`, or undefined at the end of the range.
 * Buckets that end before `moment` are skipped.
 */
type TakeBuckets = (count: number, moment?: number) => BucketWindow | undefined

/** Maximum number of pieces of a window. Each is a branch of its statement. */
const maxPieces = 60

/** The first moment that PostgreSQL prints without an era. */
const firstMoment = Date.parse('0001-01-01T00:00:00Z')

/**
 * Divides a range into windows of consecutive buckets.
 * @param range in epoch milliseconds
 */
export function bucketWindows(
  { beginningOf, after }: Timeline,
  range: { readonly from: number; readonly to: number },
): TakeBuckets {
  let origin = Math.max(firstMoment, beginningOf(range.from))
  return (count, moment = range.from) => {
    if (moment > origin) origin = Math.max(origin, beginningOf(moment))
    if (origin >= range.to || range.from === range.to) return undefined
    const pieces: Piece[] = []
    let taken = 0
    while (taken < count && origin < range.to) {
      const until = after(origin)
      const width = until - origin
      const last = pieces.at(-1)
      const goesOn = last?.width === width && last.until === origin
      if (!goesOn && pieces.length === maxPieces) break
      const piece = goesOn ? last : { origin, width, from: Math.max(origin, range.from), until }
      pieces.splice(goesOn ? -1 : pieces.length, 1, { ...piece, until: Math.min(until, range.to) })
      origin = until
      taken++
    }
    return { pieces, count: taken, isLast: origin >= range.to }
  }
}
