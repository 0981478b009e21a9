/**
 * Maximum number of values that one statement reads, estimated from the declared periods, and
 * maximum number of series.
 */
const valuesAtOnce = 200_000
const seriesAtOnce = 500

/** Assumed period in seconds if none is declared. */
const defaultPeriod = 300

type Reading<Item> = {
  /** Returns the declared seconds between values of a series; 0 if none are declared. */
  readonly periodOf: (item: Item) => number
  /** Seconds of history that are read of each series. */
  readonly span: number
}

/**
 * Divides series into parts whose history is read together, so that each statement is short. There
 * is at least one part, which may be empty.
 */
export function inParts<Item>(
  items: readonly Item[],
  { periodOf, span }: Reading<Item>,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [[]]
  let expected = 0
  for (const item of items) {
    const values = span / (periodOf(item) || defaultPeriod)
    const part = parts.at(-1) ?? []
    if (part.length > 0 && (expected + values > valuesAtOnce || part.length >= seriesAtOnce)) {
      parts.push([item])
      expected = values
    } else {
      part.push(item)
      expected += values
    }
  }
  return parts
}
