import { ExpressionFault } from '../faults.ts'
import { shown } from './values.ts'
import { toNumber } from './numbers.ts'

type Position = readonly [longitude: number, latitude: number]

/** `$point(longitude, latitude)`: a position, longitude first; nothing when one of the two is missing. */
export function point(longitude: unknown, latitude: unknown): Position | undefined {
  const [x, y] = [toNumber(longitude), toNumber(latitude)]
  if (x === undefined || y === undefined) return undefined
  if (Math.abs(x) <= 180 && Math.abs(y) <= 90) return [x, y]
  throw new ExpressionFault(
    `$point takes longitude, then latitude; ${shown(longitude)}, ${shown(latitude)} is nowhere`,
  )
}

/** `$centroid(positions)`: the mean of positions, as of the bays of a parking place. */
export function centroid(positions: unknown): Position | undefined {
  const all = (Array.isArray(positions) ? positions : [positions]).filter(isPosition)
  if (all.length === 0) return undefined
  const mean = (axis: 0 | 1) => all.reduce((sum, one) => sum + one[axis], 0) / all.length
  return [mean(0), mean(1)]
}

/** `$inBox(position, [west, south, east, north])`: whether it is inside, or on the edge. */
export function inBox(position: unknown, box: unknown): boolean | undefined {
  if (!isPosition(position)) return undefined
  const [west, south, east, north] = Array.isArray(box) ? box.map((side) => toNumber(side)) : []
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    throw new ExpressionFault('$inBox takes a position and [west, south, east, north]')
  }
  const [x, y] = position
  return x >= west && x <= east && y >= south && y <= north
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number'
}
