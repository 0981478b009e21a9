import { fromLocal, toLocal } from '../language/zoned.ts'

/** How much time is seen at once. */
export const zooms = ['week', 'day', 'month'] as const

export type Zoom = (typeof zooms)[number]

/** Days of a zoom, and how many of them lie before today where nobody chose a day. */
const shape = {
  day: { days: 1, before: 0 },
  week: { days: 7, before: 2 },
  month: { days: 31, before: 10 },
} as const

/** A span of time (ms), from the beginning of a day of a zone to that of another. */
export type Span = { readonly from: number; readonly to: number; readonly zone: string }

/** Which span: the day may be empty. */
export type SpanQuery = { readonly zoom: Zoom; readonly day: string; readonly zone: string }

/** The span that begins on a day such as `2026-11-22`; around the present where there is none. */
export function spanOf({ zoom, day, zone }: SpanQuery, now: number): Span {
  const { days, before } = shape[zoom]
  const first = isDay(day) ? day : addDays(toDay(now, zone), -before)
  return { from: startOfDay(first, zone), to: startOfDay(addDays(first, days), zone), zone }
}

/** The first day of the span after this one, or before it. */
export function step(zoom: Zoom, { from, zone }: Span, direction: 1 | -1): string {
  return addDays(toDay(from, zone), direction * shape[zoom].days)
}

/** Where a line is drawn: every day, or on a single day every three hours by the clock on the wall. */
export function ticksOf(zoom: Zoom, { from, zone }: Span): readonly number[] {
  const first = toDay(from, zone)
  return zoom === 'day'
    ? Array.from({ length: 8 }, (_, index) => fromLocal(Date.parse(first) + index * 3 * hour, zone))
    : Array.from({ length: shape[zoom].days }, (_, index) =>
        startOfDay(addDays(first, index), zone),
      )
}

const hour = 3_600_000

/** `2026-11-22`, by the clocks of a zone. */
export function toDay(time: number, zone: string): string {
  return new Date(toLocal(time, zone)).toISOString().slice(0, 10)
}

/** Years of less than four digits would be those of the last century. */
function isDay(day: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))
}

/** The first instant of a day. */
function startOfDay(day: string, zone: string): number {
  return fromLocal(Date.parse(day), zone)
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 24 * hour).toISOString().slice(0, 10)
}
