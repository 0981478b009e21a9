import type { Window } from '../range/range.ts'
import type { Samples } from './samples.ts'

/** A stretch of time in which a series of texts said the same. */
export type Segment = { readonly from: number; readonly to: number; readonly text: string }

/**
 * Values that follow each other without a gap and say the same are one stretch. A value lasts until the
 * next, and no longer than a gap begins.
 */
export function toSegments(
  { times, values }: Samples,
  gapAfter: number,
  window: Window,
): readonly Segment[] {
  const segments: Segment[] = []
  const lasts = gapAfter === 0 ? Number.POSITIVE_INFINITY : gapAfter
  for (const [index, from] of times.entries()) {
    const next = times[index + 1] ?? window.to
    const to = next - from > lasts ? from + lasts / 1.5 : next
    const value = values[index] ?? ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    const before = segments.at(-1)
    if (before?.text === text && before.to >= from) {
      segments[segments.length - 1] = { ...before, to }
    } else segments.push({ from, to, text })
  }
  return segments.flatMap(({ from, to, text }) => {
    const cut = { from: Math.max(from, window.from), to: Math.min(to, window.to), text }
    return cut.from < cut.to ? [cut] : []
  })
}

/** The texts of several series, most frequent first: each has a colour of its own in all of them. */
export function textsOf(segments: readonly Segment[]): readonly string[] {
  const lengths = new Map<string, number>()
  for (const { text, from, to } of segments) lengths.set(text, (lengths.get(text) ?? 0) + to - from)
  return [...lengths].sort(([, a], [, b]) => b - a).map(([text]) => text)
}
