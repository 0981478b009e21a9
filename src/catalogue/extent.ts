import type { Tally } from '../tally/index.ts'
import type { Extent } from './schemas.ts'

/** Cells of about one kilometre, in which places are counted: their number in a degree. */
export const grid = { perLongitude: 64, perLatitude: 96 } as const

/** A cell that is taken, by its column and row. */
export type Cell = readonly [x: number, y: number]

export function cellsOf(cells: Tally): readonly Cell[] {
  return [...cells.keys()].map((cell) => {
    const [x = '', y = ''] = cell.split(' ')
    return [Number(x), Number(y)] as const
  })
}

/** So small a share of the cells at each side does not stretch the map: mistakes such as 0° 0°. */
const outliers = 0.01

/** Steps of the edges in degrees, so that one new place does not move all maps. */
const step = 1 / 8

/** The box in which nearly all of the cells lie; undefined for none. */
export function extentOf(cells: readonly Cell[]): Extent | undefined {
  if (cells.length === 0) return undefined
  const [west, east] = spanOf(cells.map(([x]) => x))
  const [south, north] = spanOf(cells.map(([, y]) => y))
  const down = (value: number) => Math.floor(value / step) * step
  const up = (value: number) => Math.ceil(value / step) * step
  return {
    west: down(west / grid.perLongitude),
    south: down(south / grid.perLatitude),
    east: up((east + 1) / grid.perLongitude),
    north: up((north + 1) / grid.perLatitude),
  }
}

function spanOf(values: readonly number[]): readonly [number, number] {
  const sorted = Float64Array.from(values).sort()
  const cut = Math.floor(sorted.length * outliers)
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0]
}
