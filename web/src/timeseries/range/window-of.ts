import type { Series } from '../series/series.ts'
import { lengthOf } from './range.ts'
import type { Range, Window } from './range.ts'

type Known = {
  readonly now: number
  readonly series: readonly Series[]
  /** From the first to the last value, as soon as it is known. */
  readonly extent: Window | undefined
}

/** The moments that a range means. Forecasts are shown, too: as far ahead as the range is long. */
export function windowOf(range: Range, { now, series, extent }: Known): Window {
  if (range.kind === 'fixed') return range.window
  if (range.kind === 'all' && extent !== undefined) return extent
  const length = range.kind === 'last' ? range.length : lengthOf('1w')
  const ahead = series.map(({ latest }) => latest?.time ?? now).filter((time) => time > now)
  return { from: now - length, to: Math.min(now + length, Math.max(now, ...ahead)) }
}
