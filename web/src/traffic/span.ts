import { fromLocal, toLocal } from '../language/zoned.ts'

/** Lengths of time that can be shown at once. */
export const zooms = ['week', 'day', 'month'] as const

export type Zoom = (typeof zooms)[number]

/** Number of days of each zoom, and how many of them are before today if no day is chosen. */
const shape = {
  day: { days: 1, before: 0 },
  week: { days: 7, before: 2 },
  month: { days: 31, before: 10 },
} as const

/** A span of time (ms) between the starts of two days in a zone. */
export type Span = { readonly from: number; readonly to: number; readonly zone: string }

/** Defines a span; an empty day means around the present. */
export type SpanQuery = { readonly zoom: Zoom; readonly day: string; readonly zone: string }

/**
 * Returns the span that starts on a day such as `2026-11-22`, or around the present if the day is
 * invalid.
 */
export function spanOf({ zoom, day, zone }: SpanQuery, now: number): Span {
  const { days, before } = shape[zoom]
  const first = isDay(day) ? day : addDays(toDay(now, zone), -before)
  return { from: startOfDay(first, zone), to: startOfDay(addDays(first, days), zone), zone }
}

/** Returns the first day of the next or previous span. */
export function step(zoom: Zoom, { from, zone }: Span, direction: 1 | -1): string {
  return addDays(toDay(from, zone), direction * shape[zoom].days)
}

/**
 * Returns the positions of grid lines: every day, or every three hours of local time if one day is
 * shown.
 */
export function ticksOf(zoom: Zoom, { from, zone }: Span): readonly number[] {
  const first = toDay(from, zone)
  return zoom === 'day'
    ? Array.from({ length: 8 }, (_, index) => fromLocal(Date.parse(first) + index * 3 * hour, zone))
    : Array.from({ length: shape[zoom].days }, (_, index) =>
        startOfDay(addDays(first, index), zone),
      )
}

const hour = 3_600_000

/** Returns the local day in a zone: `2026-11-22`. */
export function toDay(time: number, zone: string): string {
  return new Date(toLocal(time, zone)).toISOString().slice(0, 10)
}

/** Requires four digits, because `Date` would treat shorter years as those of the last century. */
function isDay(day: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))
}

/** Returns the first moment of a day. */
function startOfDay(day: string, zone: string): number {
  return fromLocal(Date.parse(day), zone)
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 24 * hour).toISOString().slice(0, 10)
}
