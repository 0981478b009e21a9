import type {
  Feature,
  FeatureCollection,
  LineString,
  MultiLineString,
  MultiPolygon,
  Point,
  Polygon,
  Position,
  Geometry,
} from 'geojson'
import { boxAround, joinBoxes, positionsOf } from '../camera.ts'
import type { Box } from '../camera.ts'

/** An area of the hub, such as a municipality. */
export type Outline = Feature<
  Polygon | MultiPolygon,
  { readonly Name: string | null; readonly Type: string | null }
>

/** A line or point of the hub on the map: a road, a river, a town. */
export type Landmark = Feature<
  LineString | MultiLineString | Point,
  { readonly Name: string | null; readonly Type: string | null }
>

/**
 * Input for drawing the background. `rank` 0 is the whole region; each further rank is a finer
 * division.
 */
export type Backdrop = {
  readonly shapes: FeatureCollection<
    Polygon | MultiPolygon,
    { readonly rank: number; readonly tint: number }
  >
  readonly labels: FeatureCollection<
    Point,
    { readonly rank: number; readonly name: string; readonly size: number }
  >
  readonly landmarks: FeatureCollection<Landmark['geometry'], Landmark['properties']>
  readonly box: Box | undefined
  readonly ranks: number
}

const tints = 4
const mostRanks = 3

/**
 * Ranks areas by the number of areas of their type: one province, nine regions, ninety
 * municipalities.
 */
export function toBackdrop(
  outlines: readonly Outline[],
  landmarks: readonly Landmark[] = [],
): Backdrop {
  const byType = Object.groupBy(outlines, ({ properties }) => properties.Type ?? '')
  const types = Object.values(byType)
    .flatMap((group) => (group === undefined ? [] : [group]))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, mostRanks)
  return {
    shapes: { type: 'FeatureCollection', features: types.flatMap(toShapes) },
    labels: { type: 'FeatureCollection', features: types.flatMap(toLabels) },
    landmarks: { type: 'FeatureCollection', features: [...landmarks] },
    box: joinBoxes(outlines.map(({ geometry }) => boxAround(geometry))),
    ranks: types.length,
  }
}

function toShapes(group: readonly Outline[], rank: number) {
  // Only the first division of the region is tinted.
  const tintOf =
    rank === 1
      ? toTints(
          group.map(({ geometry }) => geometry),
          tints,
        )
      : []
  return group.map(({ geometry }, index) => ({
    type: 'Feature' as const,
    geometry,
    properties: { rank, tint: tintOf[index] ?? 0 },
  }))
}

function toLabels(group: readonly Outline[], rank: number) {
  return group.flatMap(({ geometry, properties }) => {
    const point = labelPoint(geometry)
    if (point === undefined || properties.Name === null) return []
    return [
      {
        type: 'Feature' as const,
        geometry: { type: 'Point' as const, coordinates: [...point] },
        properties: { rank, name: toLabel(properties.Name), size: extent(geometry) },
      },
    ]
  })
}

function extent(geometry: Polygon | MultiPolygon): number {
  const box = boxAround(geometry)
  return box === undefined ? 0 : (box[2] - box[0]) * (box[3] - box[1])
}

/** Puts the parts of a bilingual name below each other, as maps of the region do. */
export function toLabel(name: string): string {
  return name
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n')
}

const scanLines = 9

/**
 * Returns the position for the name of a shape: the middle of the widest horizontal section of its
 * largest polygon.
 */
export function labelPoint(
  geometry: Polygon | MultiPolygon,
): readonly [longitude: number, latitude: number] | undefined {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const [largest] = polygons.toSorted((a, b) => area(b[0] ?? []) - area(a[0] ?? []))
  if (largest === undefined || (largest[0] ?? []).length < 4) return undefined
  const latitudes = (largest[0] ?? []).map(([, latitude = 0]) => latitude)
  const south = Math.min(...latitudes)
  const north = Math.max(...latitudes)
  let widest = { width: -1, longitude: 0, latitude: 0 }
  for (let line = 1; line <= scanLines; line += 1) {
    const share = line / (scanLines + 1)
    const latitude = south + share * (north - south)
    // Names are expected near the centre, so a section elsewhere must be clearly wider to win.
    const weight = 1 - Math.abs(share - 0.5)
    for (const [from, to] of spansAt(largest, latitude)) {
      const width = (to - from) * weight
      if (width > widest.width) widest = { width, longitude: (from + to) / 2, latitude }
    }
  }
  return widest.width < 0 ? undefined : [widest.longitude, widest.latitude]
}

/** Returns the sections of a parallel inside a polygon, without holes. */
function spansAt(
  rings: readonly (readonly Position[])[],
  latitude: number,
): readonly (readonly [number, number])[] {
  const crossings = rings
    .flatMap((ring) =>
      ring.slice(1).flatMap(([x2 = 0, y2 = 0], index) => {
        const [x1 = 0, y1 = 0] = ring[index] ?? []
        if (y1 > latitude === y2 > latitude) return []
        return [x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)]
      }),
    )
    .toSorted((a, b) => a - b)
  return crossings.flatMap((from, index) =>
    index % 2 === 0 && crossings[index + 1] !== undefined
      ? [[from, crossings[index + 1] ?? from] as const]
      : [],
  )
}

/** Returns twice the area of a ring, in either orientation (shoelace formula). */
function area(ring: readonly Position[]): number {
  const sum = ring.slice(1).reduce((total, [x2 = 0, y2 = 0], index) => {
    const [x1 = 0, y1 = 0] = ring[index] ?? []
    return total + x1 * y2 - x2 * y1
  }, 0)
  return Math.abs(sum)
}

/**
 * Assigns a tint to each shape so that neighbours differ, as long as there are enough tints. Shapes
 * with a common corner are neighbours, as they are when they divide a region.
 */
export function toTints(
  geometries: readonly Exclude<Geometry, { readonly type: 'GeometryCollection' }>[],
  tints: number,
): readonly number[] {
  const owners = new Map<string, number[]>()
  for (const [index, geometry] of geometries.entries()) {
    for (const corner of new Set(positionsOf(geometry).map((position) => position.join()))) {
      const there = owners.get(corner)
      if (there === undefined) owners.set(corner, [index])
      else there.push(index)
    }
  }
  const neighbours = geometries.map(() => new Set<number>())
  for (const together of owners.values()) {
    for (const one of together) for (const other of together) neighbours[one]?.add(other)
  }
  const chosen: number[] = []
  for (const [index, near] of neighbours.entries()) {
    const uses = (tint: number) =>
      [...near].filter((other) => other < index && chosen[other] === tint).length
    // Among equally good tints the next one in turn is used, so that all occur.
    const order = Array.from({ length: tints }, (_, step) => (index + step) % tints)
    chosen.push(order.reduce((best, tint) => (uses(tint) < uses(best) ? tint : best)))
  }
  return chosen
}
