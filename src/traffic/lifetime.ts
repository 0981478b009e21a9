import type { MobilityEvent } from '../timeseries/index.ts'

/** Where an event stands in the feed. `gone` is not published any more. */
export type Phase = 'planned' | 'active' | 'ended' | 'cancelled' | 'gone'

/** The phases of an event in order; each lasts until the next begins. Times in ms since 1970. */
export type Lifetime = readonly { readonly phase: Phase; readonly from: number }[]

const hour = 3_600_000
/** Of the event's kind: whether it is trusted for a day only when no end is given. */
type Mortality = { readonly shortLived: boolean }

/** How long the end or cancellation of a situation is announced (decision D55). */
const keptAfterEnd = hour
/** How long a short-lived event without an end is trusted (decision D55). */
const credibility = 24 * hour

/**
 * The phases of an event, or undefined when it has no usable time at all. An event without a start
 * begins when it became known. An end that was reported late is announced from its report on, so that consumers
 * who saw the event as active learn of it; an event that had ended before its first report needs no more.
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

/** The stated start, else the time at which the event became known. */
export function startOf(event: MobilityEvent): Date | undefined {
  return (
    [event.start, event.firstRecorded, event.recorded].find(
      (date) => date !== null && instantOf(date) !== undefined,
    ) ?? undefined
  )
}

/** The phase at an instant. */
export function phaseAt(lifetime: Lifetime, now: number): Phase {
  return lifetime.findLast(({ from }) => from <= now)?.phase ?? 'gone'
}

/** The instants at which the phase changes. */
export function boundariesOf(lifetime: Lifetime): readonly number[] {
  return lifetime.map(({ from }) => from).filter((from) => from !== -Infinity)
}

function begin(phase: Phase): Lifetime[number] {
  return { phase, from: -Infinity }
}

/** An end before the start leaves no time to be planned or active in. */
function inOrder(lifetime: Lifetime): Lifetime {
  return lifetime.filter(({ from }, index) =>
    lifetime.slice(index + 1).every((later) => later.from >= from),
  )
}

/** Milliseconds since 1970 of a date in the years that the schema's dateTime writes in four digits. */
export function instantOf(date: Date | null): number | undefined {
  const time = date?.getTime() ?? NaN
  return time >= firstInstant && time < endOfTime ? time : undefined
}

const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const endOfTime = Date.parse('9999-12-31T00:00:00Z')
