import { assert, double, integer, property, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inSlices } from '../../../http/index.ts'
import { largestTriangles } from './largest-triangles.ts'

/** The method as it is published, over pairs, without anything clever. */
function naive(points: readonly (readonly [x: number, y: number])[], count: number): number[] {
  const total = points.length
  if (total <= count) return points.map((_point, place) => place)
  const startOf = (part: number) =>
    Number((BigInt(part) * BigInt(total - 2)) / BigInt(count - 2)) + 1
  const chosen = [0]
  for (let part = 0; part < count - 2; part++) {
    const next = points.slice(startOf(part + 1), startOf(part + 2))
    const x = next.reduce((sum, [value]) => sum + value, 0) / next.length
    const y = next.reduce((sum, [, value]) => sum + value, 0) / next.length
    const [ax, ay] = points[chosen.at(-1) ?? 0] ?? [0, 0]
    const [start, end] = [startOf(part), startOf(part + 1)]
    const areas = points
      .slice(start, end)
      .map(([px, py]) => Math.abs((ax - x) * (py - ay) - (ax - px) * (y - ay)))
    chosen.push(start + areas.indexOf(Math.max(...areas)))
  }
  return [...chosen, total - 1]
}

const chosenOf = (times: readonly number[], heights: readonly number[], count: number) =>
  inSlices(
    largestTriangles(
      { times: Float64Array.from(times), heights: Float64Array.from(heights) },
      count,
    ),
  )

describe('The points that keep the shape of a line', () => {
  it('are those of the published method', () => {
    const counts = integer({ min: 3, max: 40 })
    const times = uniqueArray(integer({ min: 0, max: 100_000 }), { maxLength: 300 })
    const height = double({ noNaN: true, min: -1e6, max: 1e6 })
    assert(
      property(times, counts, height, (unordered, count, factor) => {
        const xs = unordered.toSorted((one, other) => one - other)
        const ys = xs.map((x) => Math.sin(x) * factor)
        const line = { times: Float64Array.from(xs), heights: Float64Array.from(ys) }
        const steps = largestTriangles(line, count)
        let step = steps.next()
        while (step.done !== true) step = steps.next()
        const points = xs.map((x, place) => [x, ys[place] ?? 0] as const)
        expect(step.value).toEqual(naive(points, count))
      }),
    )
  })

  it('are those where parts end at whole places that a quotient of doubles falls short of', async () => {
    const [total, count] = [19_996, 301]
    const xs = Array.from({ length: total }, (_nothing, place) => place)
    const ys = xs.map((x) => Math.sin(x / 50) * (x % 97))
    const points = xs.map((x, place) => [x, ys[place] ?? 0] as const)
    expect(await chosenOf(xs, ys, count)).toEqual(naive(points, count))
  })

  it('are all where there are no more than wanted', async () => {
    expect(await chosenOf([], [], 3)).toEqual([])
    expect(await chosenOf([1], [1], 3)).toEqual([0])
    expect(await chosenOf([1, 2, 3], [1, 1, 1], 3)).toEqual([0, 1, 2])
  })

  it('are as many as wanted, in their order, with both ends and a lonely peak', async () => {
    const times = Array.from({ length: 100_000 }, (_nothing, place) => place)
    const heights = times.map((time) => (time === 54_321 ? 1000 : Math.sin(time / 1000)))
    const chosen = await chosenOf(times, heights, 500)
    expect(chosen).toHaveLength(500)
    expect([chosen[0], chosen.at(-1)]).toEqual([0, 99_999])
    expect(chosen).toContain(54_321)
    expect(chosen).toEqual([...new Set(chosen)].toSorted((one, other) => one - other))
  })

  it('are there for lines that hold no number, or numbers beyond all doubles', async () => {
    const times = [1, 2, 3, 4, 5, 6]
    expect(
      await chosenOf(
        times,
        times.map(() => Number.NaN),
        3,
      ),
    ).toEqual([0, 1, 5])
    expect(await chosenOf(times, [1e308, -1e308, 1e308, -1e308, 0, 1], 4)).toHaveLength(4)
  })
})
