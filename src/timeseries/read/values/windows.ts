import type { ChosenSeries } from './choose-series.ts'

/** A part of a history range that one statement reads. Lengths are in milliseconds. */
export type Window = {
  readonly from: string
  readonly until: string
  readonly length: number
}

export type Range = { readonly from: string; readonly to: string }

const shortest = 60_000

/** The factor by which a read may grow or shrink in one step. */
const steepest = 8

/**
 * Returns the factor for the length of the next read, after one that found this many values. It is
 * greatest if none were found.
 */
export function changeOf(found: number, wanted: number): number {
  return Math.min(steepest, Math.max(1 / steepest, wanted / found))
}

/**
 * Returns the milliseconds in which the series should have this many values, according to their
 * periods, but at least the shortest of these periods.
 */
export function expectedLength(series: ChosenSeries, values: number): number {
  const { perSecond, soonest } = paceOf(series)
  return Math.max(values / perSecond, soonest) * 1000
}

/**
 * Returns the number of values that the series should have in a range. Without a range they have
 * only their latest value.
 */
export function expectedValues(series: ChosenSeries, range: Range | undefined): number {
  if (range === undefined) return series.ids.length
  const seconds = (Date.parse(range.to) - Date.parse(range.from)) / 1000
  return Math.max(1, seconds * paceOf(series).perSecond)
}

function paceOf({ periods }: ChosenSeries) {
  let perSecond = 0
  let soonest = Number.POSITIVE_INFINITY
  for (const period of periods) {
    const seconds = Math.max(1, Number(period))
    perSecond += 1 / seconds
    soonest = Math.min(soonest, seconds)
  }
  return { perSecond, soonest }
}

/** Returns the window of about this length that starts at a time of the range. */
export function windowFrom(range: Range, from: string, length: number): Window {
  const atLeast = Math.max(shortest, length)
  const [start, end] = [Date.parse(toIso(from)), Date.parse(range.to)]
  const until = start + atLeast < end ? new Date(start + atLeast).toISOString() : range.to
  return { from, until, length: atLeast }
}

/**
 * Returns the window after one that had this many values: longer if there were fewer than wanted,
 * shorter if there were more. So no window has many more than needed, and an empty century is
 * passed in a few steps.
 * @returns undefined at the end of the range
 */
export function windowAfter(
  range: Range,
  { until, length }: Window,
  { found, wanted }: { readonly found: number; readonly wanted: number },
): Window | undefined {
  if (until >= range.to) return undefined
  return windowFrom(range, until, length * changeOf(found, wanted))
}

/** Returns the first part of a window that has too many values. */
export function shorterWindow(range: Range, { from, length }: Window): Window {
  return windowFrom(range, from, length / steepest)
}

/** Reports whether a window cannot be made shorter. */
export function isShortest({ length }: Window): boolean {
  return length <= shortest
}

/**
 * Continues a window that was cut at `reached`, a time as PostgreSQL prints it. The next window is
 * as long as the part before the cut.
 */
export function windowWithin(range: Range, { from }: Window, reached: string): Window {
  return windowFrom(range, reached, Date.parse(toIso(reached)) - Date.parse(toIso(from)))
}

/**
 * Converts a time as PostgreSQL prints it in UTC, such as `2026-11-20 12:00:00.5+00`, to ISO 8601.
 */
function toIso(time: string): string {
  return time.endsWith('Z') ? time : `${time.slice(0, 10)}T${time.slice(11, -3)}Z`
}
