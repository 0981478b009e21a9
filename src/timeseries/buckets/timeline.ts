import type { TimeZone } from '../time/time-zone.ts'
import type { BucketLength } from './bucket-length.ts'
import { localGrid } from './local-grid.ts'
import type { LocalGrid } from './local-grid.ts'
import { momentOf, steadyClock } from './steady-clock.ts'
import type { SpanAt } from './steady-clock.ts'

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
