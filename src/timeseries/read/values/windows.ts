import type { ChosenSeries } from './choose-series.ts'

/** A part of a range of history that one statement reads. Lengths are in milliseconds. */
export type Window = {
  readonly from: string
  readonly until: string
  readonly length: number
}

export type Range = { readonly from: string; readonly to: string }

const shortest = 60_000

/** In one step reads become at most this many times longer or shorter. */
const steepest = 8

/** By how much to lengthen the next read after one that found this many values: most if it found none. */
export function changeOf(found: number, wanted: number): number {
  return Math.min(steepest, Math.max(1 / steepest, wanted / found))
}

/**
 * How long it takes the series to have this many values, if they come as often as they should; but at least
 * until the first of them has its next one.
 */
export function expectedLength(series: ChosenSeries, values: number): number {
  const { perSecond, soonest } = paceOf(series)
  return Math.max(values / perSecond, soonest) * 1000
}

/** How many values the series should have in a range; without one they have their latest value only. */
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

/** The window of about that length that begins at a time of the range. */
export function windowFrom(range: Range, from: string, length: number): Window {
  const atLeast = Math.max(shortest, length)
  const [start, end] = [Date.parse(toIso(from)), Date.parse(range.to)]
  const until = start + atLeast < end ? new Date(start + atLeast).toISOString() : range.to
  return { from, until, length: atLeast }
}

/**
 * The window after one that had this many values: longer if values were rarer than needed, shorter if
 * they were more. So none has many more than needed, and an empty century is passed in a few steps.
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

/** The beginning of a window in which there is too much. */
export function shorterWindow(range: Range, { from, length }: Window): Window {
  return windowFrom(range, from, length / steepest)
}

/** Whether a window can be no shorter. */
export function isShortest({ length }: Window): boolean {
  return length <= shortest
}

/** The rest of a window that had more values than needed, from a time on that PostgreSQL printed. */
export function windowWithin(range: Range, { from }: Window, reached: string): Window {
  return windowFrom(range, reached, Date.parse(toIso(reached)) - Date.parse(toIso(from)))
}

/** `2026-11-20 12:00:00.5+00`, as PostgreSQL prints a time in UTC, is not ISO 8601. */
function toIso(time: string): string {
  return time.endsWith('Z') ? time : `${time.slice(0, 10)}T${time.slice(11, -3)}Z`
}
