import type { TextRow } from '../../../storage/index.ts'
import type { ChosenSeries } from './choose-series.ts'
import { pageSizes } from './part.ts'
import type { Part, Wanted } from './part.ts'
import { at, unpackBySeries, unpackByTime } from './value-rows.ts'
import type { Unpack } from './value-rows.ts'
import { countOf } from './value-statement.ts'
import type { Load, ValueReading } from './value-statement.ts'
import {
  expectedLength,
  isShortest,
  shorterWindow,
  windowAfter,
  windowFrom,
  windowWithin,
} from './windows.ts'
import type { Range, Window } from './windows.ts'

/**
 * Values in the order of time, then of series: window after window of the range. The latest values have
 * none; there is one of each series, so one statement reads them all.
 */
export async function* walkTime(
  load: Load,
  reading: ValueReading,
  wanted: Wanted,
): AsyncGenerator<Part, void, undefined> {
  const { series, packed, values } = reading
  const { range } = values
  const isOne = series.ids.length === 1
  const read: Read = {
    load,
    series,
    range,
    isOne,
    unpack: (isOne ? unpackBySeries : unpackByTime)(series, packed),
  }
  let remaining = wanted.rows
  let size = wanted.first
  let window = range && windowFrom(range, range.from, expectedLength(series, size))
  for (;;) {
    const found = await loadWindow(read, window, size)
    remaining -= found.rows.length
    size = Math.min(pageSizes.further, remaining)
    window = remaining > 0 && range ? nextWindow(range, found, size) : undefined
    yield { rows: found.rows, isLast: window === undefined }
    if (window === undefined) return
  }
}

type Read = {
  readonly load: Load
  readonly series: ChosenSeries
  readonly range: Range | undefined
  /** Values of one series come in order; packed by their times there would be as many packs. */
  readonly isOne: boolean
  readonly unpack: Unpack
}

type Found = {
  readonly rows: readonly TextRow[]
  /** What was read: not more than was asked for, perhaps less. */
  readonly window: Window | undefined
  /** Where the window was cut, if it was: the time from which on its values are still to be read. */
  readonly reached: string | undefined
}

/**
 * The values of a window, or its first ones. Only whole times are taken: within a time values come in no
 * order. So beside those that are wanted there is always room for one time more.
 */
async function loadWindow(read: Read, window: Window | undefined, size: number): Promise<Found> {
  const { load, series, isOne, unpack } = read
  const limit = size + 2 * series.ids.length + 1
  const ids = isOne || series.share.kind === 'few' ? series.ids : undefined
  const cut = { ids, from: window?.from, until: window?.until, limit }
  const groups = await load(cut, isOne ? 'bySeries' : 'byTime')
  const rows = unpack(groups)
  if (countOf(groups) < limit) return { rows, window, reached: undefined }
  if (ids !== undefined && !isOne) return loadLess(read, window, size)
  const reached = isOne ? rows.at(-1)?.[at.time] : groups.at(-1)?.[0]
  const whole = rows.filter((row) => row[at.time] !== reached)
  // Series that are new since the others were chosen can fill a whole statement.
  const isStuck = window === undefined || (whole.length === 0 && groups.length === 1)
  return isStuck
    ? loadWindow(read, window, size * 2)
    : { rows: whole, window, reached: reached ?? undefined }
}

/** What was cut before it was in order is read again: a shorter window, or else more of it. */
function loadLess(read: Read, window: Window | undefined, size: number): Promise<Found> {
  const { range } = read
  return range === undefined || window === undefined || isShortest(window)
    ? loadWindow(read, window, size * 8)
    : loadWindow(read, shorterWindow(range, window), size)
}

function nextWindow(
  range: Range,
  { rows, window, reached }: Found,
  wanted: number,
): Window | undefined {
  if (window === undefined) return undefined
  return reached === undefined
    ? windowAfter(range, window, { found: rows.length, wanted })
    : windowWithin(range, window, reached)
}
