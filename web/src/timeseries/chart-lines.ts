import { lookOf } from './chart/options.ts'
import type { DrawnLine, Mark } from './chart/columns.ts'
import type { Window } from './range/range.ts'
import type { Series } from './series/series.ts'
import { gapAfter, isLimited } from './values/resolution.ts'
import { toSegments } from './values/samples.ts'
import type { Segment } from './values/samples.ts'
import type { Shown } from './values/values.svelte.ts'
import type { Look } from './chart/options.ts'
import { day } from './range/range.ts'

/**
 * Assigns looks and axes to the series. A hidden series keeps its position, and therefore its
 * colour.
 */
export function toEntries(
  series: readonly Series[],
  hidden: readonly string[],
): { readonly entries: readonly Entry[]; readonly units: readonly string[] } {
  const drawn = series.filter(({ key, kind }) => kind === 'number' && !hidden.includes(key))
  const { units, without } = toScales(drawn)
  const entries = series.map((one, index) => ({
    series: one,
    look: lookOf(index),
    isHidden: hidden.includes(one.key),
    hasAxis: !without.has(one.key),
  }))
  return { entries, units }
}

/** Returns the chart lines of numeric series that are visible and have an axis. */
export function toLines(entries: readonly Entry[], shown: Shown | undefined): readonly DrawnLine[] {
  return entries
    .filter(({ series, isHidden, hasAxis }) => series.kind === 'number' && !isHidden && hasAxis)
    .map(({ series, look }) => {
      const own = shown?.samples.get(series.key) ?? { times: [], values: [] }
      const resolution = shown?.resolutions.get(series.key) ?? { kind: 'raw' }
      return {
        key: series.key,
        label: `${series.station} · ${series.dataType}`,
        unit: series.unit,
        ...look,
        ...own,
        values: own.values.map((value) => (typeof value === 'number' ? value : Number.NaN)),
        gapAfter: gapAfter(resolution, series.step),
      }
    })
}

/** Returns the bands of the visible text series. */
export function toBands(
  entries: readonly Entry[],
  shown: Shown | undefined,
  window: Window,
): readonly { readonly series: Series; readonly segments: readonly Segment[] }[] {
  return entries
    .filter(({ series, isHidden }) => series.kind === 'text' && !isHidden)
    .map(({ series }) => {
      const own = shown?.samples.get(series.key) ?? { times: [], values: [] }
      const resolution = shown?.resolutions.get(series.key) ?? { kind: 'raw' }
      return { series, segments: toSegments(own, gapAfter(resolution, series.step), window) }
    })
}

/** Counts the values within the window. */
export function countShown(series: readonly Series[], shown: Shown, { from, to }: Window): number {
  return series.reduce((sum, { key }) => {
    const times = shown.samples.get(key)?.times ?? []
    return sum + times.filter((time) => time >= from && time <= to).length
  }, 0)
}

/** A numeric series, reduced to what decides its axis. */
type Measured = { readonly key: string; readonly unit: string }

/** The units that have an axis, at most two, and the series without one. */
type Scales = {
  readonly units: readonly string[]
  readonly without: ReadonlySet<string>
}

/** Assigns the axes to the first two units, in the order of the list. */
export function toScales(series: readonly Measured[]): Scales {
  const units = [...new Set(series.map(({ unit }) => unit))].slice(0, 2)
  return {
    units,
    without: new Set(series.filter(({ unit }) => !units.includes(unit)).map(({ key }) => key)),
  }
}

/** A series in the legend. */
export type Entry = {
  readonly series: Series
  readonly look: Look
  readonly isHidden: boolean
  /** Whether there is an axis for its unit. */
  readonly hasAxis: boolean
}

type Present = {
  readonly window: Window
  readonly now: number
  readonly historyDays: number | null
}
type Labels = { readonly now: string; readonly limit: (days: number) => string }

/**
 * Returns the marks of the chart: the present, if it is within the window, and the limit of history
 * for fine resolutions.
 */
export function marksOf({ window, now, historyDays }: Present, labels: Labels): readonly Mark[] {
  const isInside = now > window.from && now < window.to
  return [
    ...(isInside ? [{ at: now, label: labels.now, shades: false }] : []),
    ...(historyDays !== null && isLimited(window, historyDays)
      ? [{ at: window.to - historyDays * day, label: labels.limit(historyDays), shades: true }]
      : []),
  ]
}
