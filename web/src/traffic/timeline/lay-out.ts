import type { TrafficEvent } from '../events/event.ts'
import type { Span as ZonedSpan } from '../span.ts'

type Span = Pick<ZonedSpan, 'from' | 'to'>

/** Where an event stands on the timeline, in pixels; lanes count from the top. */
export type Bar = {
  readonly event: TrafficEvent
  readonly x: number
  readonly width: number
  readonly lane: number
  /** It begins before what is seen, or goes on after it; without an end nobody knows how long. */
  readonly isCutBefore: boolean
  readonly isCutAfter: boolean
  readonly isOpen: boolean
}

/** Events of one kind, packed into as few lanes as they need. */
export type Band = {
  readonly kind: string
  readonly bars: readonly Bar[]
  readonly lanes: number
}

type Size = { readonly width: number; readonly least: number; readonly gap: number }

/** Puts the events of a span into bands by their first kind, each in lanes where nothing overlaps. */
export function layOut(events: readonly TrafficEvent[], span: Span, size: Size): readonly Band[] {
  const byKind = Map.groupBy(events, ({ kinds: [kind = ''] }) => kind)
  return [...byKind].map(([kind, group]) => toBand(kind, toBars(group, span, size), size.gap))
}

type Placed = Omit<Bar, 'lane'>

function toBars(
  events: readonly TrafficEvent[],
  { from, to }: Span,
  { width, least }: Size,
): readonly Placed[] {
  const scale = width / (to - from)
  return events.map((event) => {
    const start = Math.max(0, (event.start - from) * scale)
    const end = Math.min(width, ((event.end ?? to) - from) * scale)
    // The shortest can still be hit, and stay within what is seen.
    const x = Math.min(start, width - least)
    return {
      event,
      x,
      width: Math.max(least, end - x),
      isCutBefore: event.start < from,
      isCutAfter: event.end !== undefined && event.end > to,
      isOpen: event.end === undefined,
    }
  })
}

function toBand(kind: string, placed: readonly Placed[], gap: number): Band {
  const ends: number[] = []
  const bars = placed
    .toSorted((a, b) => a.x - b.x || b.width - a.width)
    .map((bar) => {
      const free = ends.findIndex((end) => end + gap <= bar.x)
      const lane = free === -1 ? ends.length : free
      ends[lane] = bar.x + bar.width
      return { ...bar, lane }
    })
  return { kind, bars, lanes: ends.length }
}
