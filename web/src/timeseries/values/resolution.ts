import type { Kind } from '../series/series.ts'
import type { Window } from '../range/range.ts'
import { day, hour, minute } from '../range/range.ts'

/** Values as they were measured, or one row for so much time. */
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

/** A list or a band of many texts is read by nobody: so many are enough. */
const enough = { number: 2000, text: 600, json: 100 } as const

type Wish = {
  readonly window: Window
  /** How many of them there is room for: pixels. */
  readonly room: number
  readonly kind: Kind
  readonly step: number | undefined
  /** Days that the caller may request at once in steps finer than a day; null: any number. */
  readonly historyDays: number | null
}

/**
 * About as many rows as pixels: the values themselves where they are no more than that, else the finest
 * buckets that fit. Callers who may request so many days at once get longer stretches by the day.
 */
export function chooseResolution(wish: Wish): Resolution {
  const { window, kind, step } = wish
  const length = window.to - window.from
  const room = Math.min(enough[kind], Math.max(200, wish.room))
  const isBounded = isLimited(window, wish.historyDays)
  if (!isBounded && length / (step ?? minute) <= room) return { kind: 'raw' }
  // A bucket that is shorter than the step would be a value or nothing.
  const least = Math.max(length / room, isBounded ? day : 0, step ?? 0)
  const [bucket, size] = ladder.find(([, one]) => one >= least) ?? ['10y', 3652 * day]
  return { kind: 'bucket', bucket, length: size }
}

/** Whether a stretch is longer than what the caller may request at once in fine steps. */
export function isLimited({ from, to }: Window, historyDays: number | null): boolean {
  return historyDays !== null && to - from > historyDays * day
}

/** The steps from which on a distance between two rows is a gap. */
const gapFrom = 1.5

/**
 * From which distance of two rows on there is a gap: one and a half steps, as the hub counts gaps. Where
 * no step is known each value stands by itself.
 */
export function gapAfter(resolution: Resolution, step: number | undefined): number {
  const expected = step ?? 0
  if (resolution.kind === 'raw') return expected * gapFrom
  return Math.max(expected, resolution.length) * gapFrom
}
