import { hash32, noise } from '../random.ts'
import { isInside } from './outline.ts'
import type { Position } from './outline.ts'

/**
 * Hexagons with shaken corners that cover an outline. Neighbours share their corners exactly, so
 * whatever is put together from cells tiles without gap or overlap.
 *
 * Corners stand on whole grid points; a cell has its centre two grid steps below its top corner.
 */
export type Cell = {
  readonly column: number
  readonly row: number
  readonly centre: Position
}

export type Tessellation = {
  readonly cells: readonly Cell[]
  /** The cells that share a side with a cell: at most six, fewer at the border. */
  readonly neighbours: (cell: Cell) => readonly Cell[]
  /** The border of a set of cells: outer rings counter-clockwise, holes clockwise, closed. */
  readonly trace: (members: ReadonlySet<Cell>) => readonly (readonly Position[])[]
}

/** Degrees per grid step: cells of about 1.5 km, equally wide and high on the ground at 46.6° N. */
const stepX = 0.0098
const stepY = 0.00389
const origin: Position = [10.3, 46.15]
/** How far a corner may leave its grid point, in steps: less than what would let sides cross. */
const shake = 0.34

/** The corners of a cell relative to its centre, counter-clockwise; side n runs from corner n on. */
const corners = [
  [1, -1],
  [1, 1],
  [0, 2],
  [-1, 1],
  [-1, -1],
  [0, -2],
] as const

/** The neighbour across each side. */
const across = [
  [2, 0],
  [1, 3],
  [-1, 3],
  [-2, 0],
  [-1, -3],
  [1, -3],
] as const

const keyOf = (x: number, y: number) => y * 10_000 + x

/** Covers a ring, with corners shaken by the seed. */
export function tessellate(ring: readonly Position[], seed: string): Tessellation {
  const cells = cover(ring)
  const byCentre = new Map(cells.map((cell) => [keyOf(cell.column, cell.row), cell]))
  const beyond = ({ column, row }: Cell, side: number) => {
    const [dx, dy] = across[side] ?? [0, 0]
    return byCentre.get(keyOf(column + dx, row + dy))
  }
  const corner = shakenCorners(seed)
  return {
    cells,
    neighbours: (cell) => corners.flatMap((_, side) => beyond(cell, side) ?? []),
    trace: (members) => {
      const next = new Map<number, readonly [x: number, y: number]>()
      for (const cell of members) {
        corners.forEach(([dx, dy], side) => {
          const other = beyond(cell, side)
          if (other !== undefined && members.has(other)) return
          const [toX, toY] = corners[(side + 1) % 6] ?? [0, 0]
          next.set(keyOf(cell.column + dx, cell.row + dy), [cell.column + toX, cell.row + toY])
        })
      }
      return toRings(next, corner)
    },
  }
}

function cover(ring: readonly Position[]): readonly Cell[] {
  const cells: Cell[] = []
  for (let row = 0; row < 260; row += 3) {
    for (let column = row % 2; column < 240; column += 2) {
      const centre: Position = [origin[0] + column * stepX, origin[1] + row * stepY]
      if (isInside(ring, centre)) cells.push({ column, row, centre })
    }
  }
  return cells
}

function shakenCorners(seed: string): (x: number, y: number) => Position {
  const east = hash32(seed, 1)
  const north = hash32(seed, 2)
  return (x, y) => {
    const key = keyOf(x, y)
    const longitude = origin[0] + (x + (noise(east, key) - 0.5) * 2 * shake) * stepX
    const latitude = origin[1] + (y + (noise(north, key) - 0.5) * 2 * shake) * stepY
    return [round(longitude), round(latitude)]
  }
}

/** Follows sides from corner to corner. Three cells meet at a corner, so one side at most goes on. */
function toRings(
  next: Map<number, readonly [x: number, y: number]>,
  corner: (x: number, y: number) => Position,
): readonly (readonly Position[])[] {
  const rings: Position[][] = []
  for (const first of next.keys()) {
    const ring: Position[] = []
    let side = next.get(first)
    for (let key = first; side !== undefined; side = next.get(key)) {
      next.delete(key)
      ring.push(corner(...side))
      key = keyOf(...side)
    }
    const start = ring.at(-1)
    if (start !== undefined) rings.push([start, ...ring])
  }
  return rings
}

/** Six decimals are a tenth of a metre. */
export function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

/** Twice the area of a closed ring in square degrees; positive when counter-clockwise. */
export function signedArea(ring: readonly Position[]): number {
  let area = 0
  let [x1, y1] = ring[0] ?? [0, 0]
  for (const [x2, y2] of ring) {
    area += x1 * y2 - x2 * y1
    x1 = x2
    y1 = y2
  }
  return area
}
