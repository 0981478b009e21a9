/** A line: its points by time, as many heights as times. */
export type Line = { readonly times: Float64Array; readonly heights: Float64Array }

/** Points that are looked at in one step. */
const stepSize = 10_000

/**
 * The places of the points that keep the shape of a line: "largest triangle, three buckets" (Sveinn
 * Steinarsson, Downsampling Time Series for Visual Representation, 2013, section 4.2). The first and the
 * last point stay; of each part between them the one that makes the largest triangle with the point
 * before and the mean of the next part, the earliest of equals. In steps of some 0.1 ms.
 * @param count at least 3; a line of no more points is taken whole
 */
export function* largestTriangles(
  line: Line,
  count: number,
): Generator<undefined, readonly number[]> {
  const total = line.times.length
  if (total <= count) return Array.from({ length: total }, (_nothing, place) => place)
  // Multiplied before it is divided: so nothing is rounded but the result.
  const startOf = (part: number) => Math.floor((part * (total - 2)) / (count - 2)) + 1
  const places = [0]
  let [last, steps] = [0, 0]
  for (let part = 0; part < count - 2; part++) {
    const [start, end, next] = [startOf(part), startOf(part + 1), startOf(part + 2)]
    const mean = meanOf(line, end, Math.min(next, total))
    last = largestFrom(line, { start, end, last }, mean)
    places.push(last)
    steps += next - start
    if (steps < stepSize) continue
    steps = 0
    yield undefined
  }
  return [...places, total - 1]
}

type Point = { readonly time: number; readonly height: number }

function meanOf({ times, heights }: Line, start: number, end: number): Point {
  let [time, height] = [0, 0]
  for (let place = start; place < end; place++) {
    time += times[place] ?? 0
    height += heights[place] ?? 0
  }
  const count = end - start
  return { time: time / count, height: height / count }
}

type Part = { readonly start: number; readonly end: number; readonly last: number }

/** Twice the area of each triangle; what is no number is never larger. */
function largestFrom({ times, heights }: Line, { start, end, last }: Part, mean: Point): number {
  const [time, height] = [times[last] ?? 0, heights[last] ?? 0]
  let [found, largest] = [start, -1]
  for (let place = start; place < end; place++) {
    const area = Math.abs(
      (time - mean.time) * ((heights[place] ?? 0) - height) -
        (time - (times[place] ?? 0)) * (mean.height - height),
    )
    if (area <= largest || Number.isNaN(area)) continue
    largest = area
    found = place
  }
  return found
}
