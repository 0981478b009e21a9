import type { Window } from '../range/range.ts'
import { day } from '../range/range.ts'

/**
 * What is asked for to show a window: a little more on both sides, on a grid, so that small moves of the
 * window need no further request; but never more than the caller may request at once.
 */
export function toFetchWindow({ from, to }: Window, historyDays: number | null): Window {
  const grid = gridOf(to - from)
  const wide = { from: floor(from, grid), to: -floor(-to, grid) }
  if (historyDays === null || wide.to - wide.from <= historyDays * day) return wide
  return { from, to }
}

/** A power of two of seconds, some eighth of the length: zooming does not move it all the time. */
function gridOf(length: number): number {
  return 1000 * 2 ** Math.max(3, Math.round(Math.log2(length / 8000)))
}

function floor(time: number, grid: number): number {
  return Math.floor(time / grid) * grid
}
