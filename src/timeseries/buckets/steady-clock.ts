import type { TimeZone } from '../time/time-zone.ts'

/** A time in which the clocks of a zone run evenly; moments and offset in milliseconds. */
export type Span = {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** The span that holds a moment: it goes on for a week from there, or until clocks are changed. */
export type SpanAt = (moment: number) => Span

const quarterHour = 900_000
const oneHour = 3_600_000
const week = 168 * oneHour

/** Wider than the offset of any zone. */
const widestOffset = 18 * oneHour

type KnownSpan = Span & { readonly isChanged: boolean }

/** Moments are asked for mostly in their order, so the last span is remembered and made longer. */
export function steadyClock(zone: TimeZone): SpanAt {
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
export function momentOf(spanAt: SpanAt, local: number): number {
  let span = spanAt(local - widestOffset)
  while (local - span.offset >= span.until) span = spanAt(span.until)
  return Math.max(span.from, local - span.offset)
}
