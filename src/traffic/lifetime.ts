import type { MobilityEvent } from '../timeseries/index.ts'

/** The phase of an event in the feed. `gone` is no longer published. */
export type Phase = 'planned' | 'active' | 'ended' | 'cancelled' | 'gone'

/**
 * The phases of an event in order. Each lasts until the next one starts. Times are in ms since
 * 1970.
 */
export type Lifetime = readonly { readonly phase: Phase; readonly from: number }[]

const hour = 3_600_000
/** Property of the event's kind: whether an event without an end is trusted for only a day. */
type Mortality = { readonly shortLived: boolean }

/** Milliseconds for which the end or cancellation of a situation is announced (decision D55). */
const keptAfterEnd = hour
/** Milliseconds for which a short-lived event without an end is trusted (decision D55). */
const credibility = 24 * hour

/**
 * Returns the phases of an event, or undefined if it has no usable time at all. An event without a
 * start starts when it became known. An end that was reported late is announced from its report on,
 * so that consumers that saw the event as active learn of it; an event that had ended before its
 * first report is not announced longer.
 */
export function lifetimeOf(event: MobilityEvent, { shortLived }: Mortality): Lifetime | undefined {
  const recorded = instantOf(event.recorded)
  const start = startOf(event)?.getTime()
  if (recorded === undefined || start === undefined) return undefined
  if (event.cancelled)
    return inOrder([begin('cancelled'), { phase: 'gone', from: recorded + keptAfterEnd }])
  const end = instantOf(event.end)
  if (end !== undefined) {
    const reported = event.version > 1 ? Math.max(end, recorded) : end
    return inOrder([
      begin('planned'),
      { phase: 'active', from: start },
      { phase: 'ended', from: end },
      { phase: 'gone', from: reported + keptAfterEnd },
    ])
  }
  const running = [begin('planned'), { phase: 'active', from: start }] as const
  return shortLived ? [...running, { phase: 'gone', from: start + credibility }] : running
}

/**
 * Returns the stated start, or else the time at which the event became known, or its end if that is
 * earlier.
 */
export function startOf(event: MobilityEvent): Date | undefined {
  const { start, end, firstRecorded, recorded } = event
  if (isUsable(start)) return start
  const since = [firstRecorded, recorded].find(isUsable)
  return since !== undefined && isUsable(end) && end < since ? end : since
}

const isUsable = (date: Date | null): date is Date => instantOf(date) !== undefined

/** Returns the phase at a time. */
export function phaseAt(lifetime: Lifetime, now: number): Phase {
  return lifetime.findLast(({ from }) => from <= now)?.phase ?? 'gone'
}

/** Returns the times at which the phase changes. */
export function boundariesOf(lifetime: Lifetime): readonly number[] {
  return lifetime.map(({ from }) => from).filter((from) => from !== -Infinity)
}

function begin(phase: Phase): Lifetime[number] {
  return { phase, from: -Infinity }
}

/**
 * Removes phases that start after a later one: an event that ends before its start is never active.
 */
function inOrder(lifetime: Lifetime): Lifetime {
  return lifetime.filter(({ from }, index) =>
    lifetime.slice(index + 1).every((later) => later.from >= from),
  )
}

/**
 * Returns the milliseconds since 1970 of a date, or undefined outside the years that the schema's
 * dateTime writes with four digits.
 */
export function instantOf(date: Date | null): number | undefined {
  const time = date?.getTime() ?? NaN
  return time >= firstInstant && time < endOfTime ? time : undefined
}

const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const endOfTime = Date.parse('9999-12-31T00:00:00Z')
