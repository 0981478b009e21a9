import type { TimeZone } from '../time/time-zone.ts'
import type { BucketLength } from './bucket-length.ts'
import { localGrid } from './local-grid.ts'
import type { LocalGrid } from './local-grid.ts'

/** Where buckets begin, as moments in epoch milliseconds. Each ends where the next one begins. */
export type Timeline = {
  /** The beginning of the bucket that holds a moment. */
  readonly beginningOf: (moment: number) => number
  readonly after: (beginning: number) => number
}

/**
 * Buckets by the local clock of a zone. Days and longer ones are as long as they are there: the day on
 * which clocks are changed has 23 or 25 hours. Of shorter ones, those that a repeated hour holds as a
 * whole are there twice; one that holds more than that hour is longer by it, as `round` of
 * `Temporal.ZonedDateTime` has it.
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

const oneDay = 86_400_000

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
    // Clocks have just been changed: the bucket begins with that, or goes on from before.
    const before = beginningOf(span.from - 1)
    const next = after(before)
    return next <= moment ? next : before
  }
  return { beginningOf, after }
}

/** A time in which the clocks of a zone run evenly; moments and offset in milliseconds. */
type Span = {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** The span that holds a moment: it goes on for a week from there, or until clocks are changed. */
type SpanAt = (moment: number) => Span

const quarterHour = 900_000
const oneHour = 3_600_000
const week = 168 * oneHour

/** Wider than the offset of any zone. */
const widestOffset = 18 * oneHour

type KnownSpan = Span & { readonly isChanged: boolean }

/** Moments are asked for mostly in their order, so the last span is remembered and made longer. */
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

/** No zone has changed its clocks and changed them back within a week. */
function longer(offsetAt: (moment: number) => number, { from, until, offset }: Span): KnownSpan {
  for (const end of [until + week, until + 2 * week]) {
    if (offsetAt(end) !== offset) {
      return { from, until: changeBetween(offsetAt, end - week, end), offset, isChanged: true }
    }
  }
  return { from, until: until + 2 * week, offset, isChanged: false }
}

/** A `TimeZone` tells an offset for each quarter of an hour, so that is where clocks are changed. */
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
 * The first moment at which clocks show a local time, or where they jump over it, that of the jump.
 * @param local milliseconds, as if the local time were UTC
 */
function momentOf(spanAt: SpanAt, local: number): number {
  let span = spanAt(local - widestOffset)
  while (local - span.offset >= span.until) span = spanAt(span.until)
  return Math.max(span.from, local - span.offset)
}
