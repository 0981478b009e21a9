/** A line of the chart: values over time, optionally with a band, and the threshold for gaps. */
type Line = {
  readonly times: readonly number[]
  readonly values: readonly number[]
  readonly low?: readonly number[]
  readonly high?: readonly number[]
  /** The line is broken between two values that are farther apart than this, in milliseconds. */
  readonly gapAfter: number
}

/**
 * Values by time. `undefined`: no value here, the line is drawn across; `null`: the line is broken
 * here.
 */
type Column = readonly (number | null | undefined)[]

/** All lines over shared times, with three columns per line: value, low and high. */
type Columns = {
  readonly times: readonly number[]
  readonly columns: readonly Column[]
  /** For each line, the indexes of values without neighbours, which only a dot can show. */
  readonly alone: readonly (readonly number[])[]
}

type Placed = { readonly times: readonly number[]; readonly picks: readonly number[] }

/**
 * Converts lines to the columns of the chart. Each gap gets an extra time at which the line is
 * broken.
 */
export function toColumns(lines: readonly Line[]): Columns {
  const placed = lines.map(withGaps)
  const times = [...new Set(placed.flatMap((one) => one.times))].sort((a, b) => a - b)
  const places = new Map(times.map((time, index) => [time, index]))
  const spread = (one: Placed, values: readonly number[] | undefined): Column => {
    const column = new Array<number | null | undefined>(times.length).fill(undefined)
    for (const [index, time] of one.times.entries()) {
      const pick = one.picks[index] ?? -1
      if (pick >= 0) column[places.get(time) ?? 0] = values?.[pick]
      // The break extends from the value before the gap to the one after it, across the times of
      // other lines.
      else
        column.fill(
          null,
          (places.get(one.times[index - 1] ?? time) ?? 0) + 1,
          places.get(one.times[index + 1] ?? time),
        )
    }
    return column
  }
  return {
    times,
    columns: lines.flatMap((line, index) => {
      const one = placed[index] ?? { times: [], picks: [] }
      return [spread(one, line.values), spread(one, line.low), spread(one, line.high)]
    }),
    alone: lines.map((line) => placesAlone(line, places)),
  }
}

/** Adds a time in the middle of each gap, with -1 in place of the index of a value. */
function withGaps({ times, gapAfter }: Line): Placed {
  const all: number[] = []
  const picks: number[] = []
  for (const [index, time] of times.entries()) {
    const before = times[index - 1]
    if (before !== undefined && time - before > gapAfter) {
      all.push((before + time) / 2)
      picks.push(-1)
    }
    all.push(time)
    picks.push(index)
  }
  return { times: all, picks }
}

function placesAlone(
  { times, gapAfter }: Line,
  places: ReadonlyMap<number, number>,
): readonly number[] {
  const isFar = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined || b - a > gapAfter
  return times.flatMap((time, index) => {
    const isAlone = isFar(times[index - 1], time) && isFar(time, times[index + 1])
    const place = places.get(time)
    return isAlone && place !== undefined ? [place] : []
  })
}

/** A line with its look, and the unit that selects its axis. */
export type DrawnLine = Line & {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** Name of a CSS custom property. */
  readonly colour: string
  readonly isDashed: boolean
}

/** A marked time in the chart. */
export type Mark = {
  readonly at: number
  readonly label: string
  /** Whether everything before it is shaded. */
  readonly shades: boolean
}
