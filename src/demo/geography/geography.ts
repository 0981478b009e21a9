import type { MultiPolygon, Polygon } from 'geojson'
import { at, hash32, noise, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { outline } from './outline.ts'
import type { Position } from './outline.ts'
import { places, regionKeys } from './places.ts'
import type { Place, RegionKey } from './places.ts'
import { round, signedArea, tessellate } from './tessellation.ts'
import type { Cell, Tessellation } from './tessellation.ts'

export type Shape = Polygon | MultiPolygon

/** A spot on the ground. */
export type Site = {
  readonly longitude: number
  readonly latitude: number
  /** Metres above the sea. */
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
  /** A municipality, drawn by how much is going on there. */
  readonly somewhere: (random: Random) => Municipality
}

/** A cell as it belongs to a municipality: `effort` is how hard it is to get there from the village. */
type Ground = { readonly cell: Cell; readonly owner: number; readonly effort: number }

/** Lays out the region: each cell goes to the village from which it is reached with least effort. */
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
 * Spreads from all villages at once over ever more rugged ground (Dijkstra), so that every
 * municipality hangs together and borders follow ridges.
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
  // Dijkstra settles a municipality from the village outwards, so the grounds stand in that order.
  const third = Math.ceil(grounds.length / 3)
  const parts: Readonly<Record<Whereabouts, readonly Ground[]>> = {
    village: grounds.slice(0, Math.min(third, 1 + Math.ceil(place.weight / 6))),
    anywhere: grounds,
    mountain: grounds.slice(-third),
  }
  const siteIn = (random: Random, whereabouts: Whereabouts) => {
    const ground = random.pick(parts[whereabouts])
    // Villages are flat, whatever stands around them.
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

/** A spot well inside a cell, whatever its corners were shaken to. */
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
  // Municipalities and regions hang together; holes then lie in their only part.
  if (only !== undefined && outer.length === 1) {
    return { type: 'Polygon', coordinates: toCoordinates([only, ...holes]) }
  }
  return { type: 'MultiPolygon', coordinates: outer.map((ring) => toCoordinates([ring])) }
}
