import type { MultiPolygon, Polygon } from 'geojson'
import { Type } from 'typebox'
import { readYaml } from '../../lang/read-yaml.ts'
import { at, hash32, noise, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { places, regionKeys } from './places.ts'
import type { Place, RegionKey } from './places.ts'

/** A position in degrees, EPSG:4326. */
export type Position = readonly [longitude: number, latitude: number]

/**
 * Rough outline. The border of the demo follows the cells of the tessellation that are inside it.
 */
const outline: readonly Position[] = readYaml(
  new URL('outline.yaml', import.meta.url),
  Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
)

/** Reports whether a position is inside a ring, by the number of its sides east of the position. */
export function isInside(ring: readonly Position[], [x, y]: Position): boolean {
  let inside = false
  let [x1, y1] = ring.at(-1) ?? [0, 0]
  for (const [x2, y2] of ring) {
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
    x1 = x2
    y1 = y2
  }
  return inside
}

/**
 * A hexagon of a tessellation that covers an outline. Its corners are displaced at random.
 * Neighbours share their corners exactly, so shapes that are composed of cells tile without gaps or
 * overlaps.
 *
 * Corners are on whole grid points. The centre of a cell is two grid steps below its top corner.
 */
type Cell = {
  readonly column: number
  readonly row: number
  readonly centre: Position
}

type Tessellation = {
  readonly cells: readonly Cell[]
  /** Returns the cells that share a side with a cell: at most six, fewer at the border. */
  readonly neighbours: (cell: Cell) => readonly Cell[]
  /**
   * Returns the border of a set of cells as closed rings: outer rings counter-clockwise, holes
   * clockwise.
   */
  readonly trace: (members: ReadonlySet<Cell>) => readonly (readonly Position[])[]
}

/**
 * Degrees per grid step. Cells have about 1.5 km, and the same width and height on the ground at
 * 46.6° N.
 */
const stepX = 0.0098
const stepY = 0.00389
const origin: Position = [10.3, 46.15]
/**
 * Maximum displacement of a corner from its grid point, in steps. Sides cannot cross at this value.
 */
const shake = 0.34

/** Corners of a cell relative to its centre, counter-clockwise. Side n starts at corner n. */
const corners = [
  [1, -1],
  [1, 1],
  [0, 2],
  [-1, 1],
  [-1, -1],
  [0, -2],
] as const

/** Offset of the neighbour across each side. */
const across = [
  [2, 0],
  [1, 3],
  [-1, 3],
  [-2, 0],
  [-1, -3],
  [1, -3],
] as const

const keyOf = (x: number, y: number) => y * 10_000 + x

/** Covers a ring with cells, whose corners are displaced according to the seed. */
function tessellate(ring: readonly Position[], seed: string): Tessellation {
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

/**
 * Follows sides from corner to corner. Three cells meet at a corner, so at most one side continues
 * from it.
 */
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

/** Rounds to six decimals, a tenth of a metre. */
export function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

/**
 * Returns twice the area of a closed ring in square degrees, positive if it is counter-clockwise.
 */
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

export type Shape = Polygon | MultiPolygon

/** A position on the ground. */
export type Site = {
  readonly longitude: number
  readonly latitude: number
  /** Metres above sea level. */
  readonly altitude: number
}

/** In the village, anywhere in the municipality, or up on its mountains. */
export type Whereabouts = 'village' | 'anywhere' | 'mountain'

export type Municipality = {
  readonly index: number
  readonly place: Place
  readonly centre: Site
  readonly shape: Shape
  readonly siteIn: (random: Random, whereabouts: Whereabouts) => Site
}

export type Geography = {
  readonly municipalities: readonly Municipality[]
  readonly outline: Shape
  readonly regionShapes: ReadonlyMap<RegionKey, Shape>
  /** Picks a municipality at random, weighted by how busy it is. */
  readonly somewhere: (random: Random) => Municipality
}

/**
 * A cell with the municipality that owns it. `effort` is the effort of reaching it from the
 * village.
 */
type Ground = { readonly cell: Cell; readonly owner: number; readonly effort: number }

/**
 * Lays out the region. Each cell belongs to the village from which it can be reached with the least
 * effort.
 */
export function layOut(seed: string): Geography {
  const tessellation = tessellate(outline, seed)
  const grounds = settle(tessellation, seed)
  const municipalities = places.map((place, index) =>
    toMunicipality(
      { place, index, seed },
      grounds.filter(({ owner }) => owner === index),
      tessellation,
    ),
  )
  const shapeOf = (belongs: (place: Place) => boolean) =>
    toShape(
      tessellation.trace(
        new Set(grounds.flatMap(({ cell, owner }) => (belongs(at(places, owner)) ? [cell] : []))),
      ),
    )
  const urn = municipalities.flatMap((item) => Array<Municipality>(item.place.weight).fill(item))
  return {
    municipalities,
    outline: shapeOf(() => true),
    regionShapes: new Map(regionKeys.map((key) => [key, shapeOf(({ region }) => region === key)])),
    somewhere: (random) => random.pick(urn),
  }
}

/**
 * Expands from all villages at once over random ruggedness (Dijkstra), so that every municipality
 * is contiguous and borders follow ridges.
 */
function settle(tessellation: Tessellation, seed: string): readonly Ground[] {
  const ruggedness = hash32(seed, 3)
  const ridge = ({ column, row }: Cell) => noise(ruggedness, column * 1000 + row) * 2
  const settled = new Map<Cell, Ground>()
  const frontier: Ground[] = []
  places.forEach((place, owner) => {
    const taken = new Set(frontier.map(({ cell }) => cell))
    const free = tessellation.cells.filter((cell) => !taken.has(cell))
    frontier.push({ cell: nearestTo(place, free), owner, effort: 0 })
  })
  while (frontier.length > 0) {
    const least = frontier.reduce((best, ground) => (ground.effort < best.effort ? ground : best))
    frontier.splice(frontier.indexOf(least), 1)
    if (settled.has(least.cell)) continue
    settled.set(least.cell, least)
    for (const cell of tessellation.neighbours(least.cell)) {
      if (settled.has(cell)) continue
      frontier.push({ cell, owner: least.owner, effort: least.effort + 0.6 + ridge(cell) })
    }
  }
  return [...settled.values()]
}

function nearestTo({ longitude, latitude }: Place, cells: readonly Cell[]): Cell {
  const distance = ({ centre: [x, y] }: Cell) => ((x - longitude) * 0.69) ** 2 + (y - latitude) ** 2
  return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best))
}

function toMunicipality(
  { place, index, seed }: { readonly place: Place; readonly index: number; readonly seed: string },
  grounds: readonly Ground[],
  tessellation: Tessellation,
): Municipality {
  // Dijkstra settles a municipality from its village outwards, so the cells are in that order.
  const third = Math.ceil(grounds.length / 3)
  const parts: Readonly<Record<Whereabouts, readonly Ground[]>> = {
    village: grounds.slice(0, Math.min(third, 1 + Math.ceil(place.weight / 6))),
    anywhere: grounds,
    mountain: grounds.slice(-third),
  }
  const siteIn = (random: Random, whereabouts: Whereabouts) => {
    const ground = random.pick(parts[whereabouts])
    // Villages are flat, whatever surrounds them.
    return toSite(whereabouts === 'village' ? { ...ground, effort: 0 } : ground, place, random)
  }
  const centre = toSite(at(grounds, 0), place, randomOf(seed, 'centre', place.key))
  return {
    index,
    place,
    centre: { ...centre, altitude: place.altitude },
    shape: toShape(tessellation.trace(new Set(grounds.map(({ cell }) => cell)))),
    siteIn,
  }
}

/** Returns a site well inside a cell, however its corners are displaced. */
function toSite({ cell, effort }: Ground, place: Place, random: Random): Site {
  const [longitude, latitude] = cell.centre
  const climb = Math.min(effort * 150, 3300 - place.altitude) * (0.75 + random.next() * 0.4)
  return {
    longitude: round(longitude + (random.next() - 0.5) * 0.009),
    latitude: round(latitude + (random.next() - 0.5) * 0.0062),
    altitude: Math.round(place.altitude + climb + random.next() * 20),
  }
}

function toShape(rings: readonly (readonly Position[])[]): Shape {
  const outer = rings.filter((ring) => signedArea(ring) > 0)
  const holes = rings.filter((ring) => signedArea(ring) < 0)
  const toCoordinates = (list: readonly (readonly Position[])[]) =>
    list.map((ring) => ring.map(([longitude, latitude]) => [longitude, latitude]))
  const [only] = outer
  // Municipalities and regions are contiguous, so holes belong to their only part.
  if (only !== undefined && outer.length === 1) {
    return { type: 'Polygon', coordinates: toCoordinates([only, ...holes]) }
  }
  return { type: 'MultiPolygon', coordinates: outer.map((ring) => toCoordinates([ring])) }
}
