import { kindOf } from '../events/event.ts'
import type { TrafficEvent } from '../events/event.ts'
import type { Span as ZonedSpan } from '../span.ts'

type Span = Pick<ZonedSpan, 'from' | 'to'>

/** Position of an event on the timeline, in pixels; lanes count from the top. */
type Bar = {
  readonly event: TrafficEvent
  readonly x: number
  readonly width: number
  readonly lane: number
  /**
   * Whether the event starts before or ends after the visible span. `isOpen`: its end is unknown.
   */
  readonly isCutBefore: boolean
  readonly isCutAfter: boolean
  readonly isOpen: boolean
}

/** Events of one kind, packed into as few lanes as possible. */
export type Band = {
  readonly kind: string
  readonly bars: readonly Bar[]
  readonly lanes: number
}

type Size = { readonly width: number; readonly least: number; readonly gap: number }

/** Groups the events of a span into bands by kind, and assigns lanes so that nothing overlaps. */
export function layOut(events: readonly TrafficEvent[], span: Span, size: Size): readonly Band[] {
  const byKind = Map.groupBy(events, (event) => kindOf(event) ?? '')
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
    // A minimum width keeps short events clickable, and they must stay within the visible span.
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

/** Returns the event that a key moves to: left and right in time, up and down to the next kind. */
export function moveFrom(bands: readonly Band[], from: string, key: string): string | undefined {
  const row = bands.findIndex(({ bars }) => bars.some(({ event }) => event.id === from))
  const bars = inTime(bands[row]?.bars ?? [])
  const place = bars.findIndex(({ event }) => event.id === from)
  const here = bars[place]
  if (here === undefined) return undefined
  switch (key) {
    case 'ArrowRight':
      return bars[place + 1]?.event.id ?? inTime(bands[row + 1]?.bars ?? [])[0]?.event.id ?? from
    case 'ArrowLeft':
      return (
        bars[place - 1]?.event.id ?? inTime(bands[row - 1]?.bars ?? []).at(-1)?.event.id ?? from
      )
    case 'ArrowDown':
      return nearest(bands[row + 1]?.bars ?? [], here)?.event.id ?? from
    case 'ArrowUp':
      return nearest(bands[row - 1]?.bars ?? [], here)?.event.id ?? from
    case 'Home':
      return inTime(bands[0]?.bars ?? [])[0]?.event.id
    case 'End':
      return inTime(bands.at(-1)?.bars ?? []).at(-1)?.event.id
    default:
      return undefined
  }
}

function inTime(bars: readonly Bar[]): readonly Bar[] {
  return bars.toSorted((a, b) => a.x - b.x || a.lane - b.lane)
}

function nearest(bars: readonly Bar[], { x }: Bar): Bar | undefined {
  return bars.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0]
}

/** Shortens road and place of an event to about the width of its bar. */
export function labelOf({ road, place }: TrafficEvent, room: number): string {
  const text = [road, place?.replace(`${road ?? ''} `, '')].filter(Boolean).join(' ')
  const letters = Math.floor((room - 12) / 6.4)
  if (letters < 4) return ''
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`
}
