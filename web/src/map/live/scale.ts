import type { Latest } from './latest.ts'

/**
 * A colour of the legend, for a range of numbers or a single value. `paint` is a name from
 * `colours.css`.
 */
export type Step =
  | { readonly kind: 'range'; readonly paint: string; readonly from: number; readonly to: number }
  | { readonly kind: 'value'; readonly paint: string; readonly value: number | string }

export type Scale = {
  readonly steps: readonly Step[]
  readonly paintOf: (value: Latest['value']) => string
}

const mostSteps = 6
const mostKinds = 8
const other = 'stale'

/**
 * Builds a scale. Numbers are divided into six ranges of equal size; if there are at most six
 * different numbers, each gets its own colour. Texts are categories.
 */
export function toScale(values: readonly Latest['value'][]): Scale {
  const numbers = values.filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
  if (numbers.length === 0) return ofKinds(values.filter((value) => typeof value === 'string'))
  const different = [...new Set(numbers)]
  if (different.length <= mostSteps) return ofNumbers(different)
  return ofRanges(numbers)
}

function ofRanges(sorted: readonly number[]): Scale {
  const starts = Array.from(
    { length: mostSteps },
    (_, index) => sorted[Math.floor((index * sorted.length) / mostSteps)] ?? 0,
  )
  // A very frequent value could start several ranges.
  const breaks = [...new Set(starts)]
  const last = sorted.at(-1) ?? 0
  const steps = breaks.map((from, index): Step => ({
    kind: 'range',
    paint: paintAt(index, breaks.length),
    from,
    to: endOf(sorted, breaks[index + 1]) ?? last,
  }))
  return {
    steps,
    paintOf: (value) => {
      if (typeof value !== 'number') return other
      const index = breaks.findLastIndex((from) => value >= from)
      return paintAt(Math.max(0, index), breaks.length)
    },
  }
}

/** Returns the largest value below the next range. */
function endOf(sorted: readonly number[], next: number | undefined): number | undefined {
  return next === undefined ? undefined : sorted.findLast((value) => value < next)
}

function ofNumbers(different: readonly number[]): Scale {
  const steps = different.map((value, index): Step => ({
    kind: 'value',
    paint: paintAt(index, different.length),
    value,
  }))
  return { steps, paintOf: painter(steps) }
}

/** Categories have no order, so the most frequent come first. Rare ones share a grey. */
function ofKinds(texts: readonly string[]): Scale {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const steps = [...counts]
    .toSorted(([a, often], [b, seldom]) => seldom - often || a.localeCompare(b))
    .slice(0, mostKinds)
    .map(([value], index): Step => ({ kind: 'value', paint: `kind${index}`, value }))
  return { steps, paintOf: painter(steps) }
}

function painter(steps: readonly Step[]): Scale['paintOf'] {
  return (value) =>
    steps.find((step) => step.kind === 'value' && step.value === value)?.paint ?? other
}

/** Spreads a few steps over the full range of lightness. */
function paintAt(index: number, count: number): string {
  const spread = count <= 1 ? mostSteps - 1 : Math.round((index * (mostSteps - 1)) / (count - 1))
  return `step${spread}`
}
