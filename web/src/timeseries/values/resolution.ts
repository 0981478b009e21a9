import type { Kind } from '../series/series.ts'
import type { Window } from '../range/range.ts'
import { day, hour, minute } from '../range/range.ts'

/** Raw values, or one row per bucket of time. */
export type Resolution =
  | { readonly kind: 'raw' }
  | { readonly kind: 'bucket'; readonly bucket: string; readonly length: number }

const ladder = [
  ['1m', minute],
  ['2m', 2 * minute],
  ['5m', 5 * minute],
  ['10m', 10 * minute],
  ['15m', 15 * minute],
  ['30m', 30 * minute],
  ['1h', hour],
  ['2h', 2 * hour],
  ['3h', 3 * hour],
  ['6h', 6 * hour],
  ['12h', 12 * hour],
  ['1d', day],
  ['1w', 7 * day],
  ['1mo', 30 * day],
  ['3mo', 91 * day],
  ['1y', 365 * day],
  ['10y', 3652 * day],
] as const

/** Maximum number of rows by kind. Long lists and bands of texts would not be readable. */
const enough = { number: 2000, text: 600, json: 100 } as const

type Wish = {
  readonly window: Window
  /** Available width in pixels, which limits the number of rows. */
  readonly room: number
  readonly kind: Kind
  readonly step: number | undefined
  /** Days that the caller may request at once in buckets shorter than a day; null if unlimited. */
  readonly historyDays: number | null
}

/**
 * Chooses a resolution with about as many rows as pixels: raw values if they are few enough,
 * otherwise the finest suitable buckets. Beyond the caller's limit, buckets are at least one day
 * long.
 */
export function chooseResolution(wish: Wish): Resolution {
  const { window, kind, step } = wish
  const length = window.to - window.from
  const room = Math.min(enough[kind], Math.max(200, wish.room))
  const isBounded = isLimited(window, wish.historyDays)
  if (!isBounded && length / (step ?? minute) <= room) return { kind: 'raw' }
  // A bucket shorter than the step would hold one value or none.
  const least = Math.max(length / room, isBounded ? day : 0, step ?? 0)
  const [bucket, size] = ladder.find(([, one]) => one >= least) ?? ['10y', 3652 * day]
  return { kind: 'bucket', bucket, length: size }
}

/** Reports whether a window is longer than the caller may request at once in fine resolution. */
export function isLimited({ from, to }: Window, historyDays: number | null): boolean {
  return historyDays !== null && to - from > historyDays * day
}

/** Number of steps between two rows from which on they are separated by a gap. */
const gapFrom = 1.5

/**
 * Returns the distance between two rows above which there is a gap: one and a half steps, as the
 * hub counts gaps. If the step is unknown, it is 0, and each value stands alone.
 */
export function gapAfter(resolution: Resolution, step: number | undefined): number {
  const expected = step ?? 0
  if (resolution.kind === 'raw') return expected * gapFrom
  return Math.max(expected, resolution.length) * gapFrom
}
