/** A line of the chart: its values in time, perhaps with a band around it, and what counts as a gap. */
type Line = {
  readonly times: readonly number[]
  readonly values: readonly number[]
  readonly low?: readonly number[]
  readonly high?: readonly number[]
  /** Between two values farther apart than this the line is broken. */
  readonly gapAfter: number
}

/** `undefined`: nothing is known here and the line goes on; `null`: here it is broken. */
type Column = readonly (number | null | undefined)[]

/** All lines over the same times, three columns each: value, low and high. */
type Columns = {
  readonly times: readonly number[]
  readonly columns: readonly Column[]
  /** Of each line the places of values without neighbours, which only a dot can show. */
  readonly alone: readonly (readonly number[])[]
}

type Placed = { readonly times: readonly number[]; readonly picks: readonly number[] }

/** The lines as a chart needs them. A gap has a time of its own at which the line is broken. */
export function toColumns(lines: readonly Line[]): Columns {
  const placed = lines.map(withGaps)
  const times = [...new Set(placed.flatMap((one) => one.times))].sort((a, b) => a - b)
  const places = new Map(times.map((time, index) => [time, index]))
  const spread = (one: Placed, values: readonly number[] | undefined): Column => {
    const column = new Array<number | null | undefined>(times.length).fill(undefined)
    for (const [index, time] of one.times.entries()) {
      const pick = one.picks[index] ?? -1
      if (pick >= 0) column[places.get(time) ?? 0] = values?.[pick]
      // The line is broken from the value before to the value after, whatever other lines do there.
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

/** The times of a line, with one more in the middle of each gap; it picks no value. */
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

/** A line with its looks and the unit whose axis it belongs to. */
export type DrawnLine = Line & {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** A custom property. */
  readonly colour: string
  readonly isDashed: boolean
}

/** A moment that is marked in the chart. */
export type Mark = {
  readonly at: number
  readonly label: string
  /** Everything before it is shaded. */
  readonly shades: boolean
}
