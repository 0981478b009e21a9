import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon } from 'geojson'
import { boxAround, joinBoxes } from './box.ts'
import type { Box } from './box.ts'
import { labelPoint } from './label-point.ts'
import { toTints } from './tints.ts'

/** A shape of the hub, such as a municipality. */
export type Outline = Feature<
  Polygon | MultiPolygon,
  { readonly Name: string | null; readonly Type: string | null }
>

/** What the sheet of an atlas is drawn from. `rank` 0 is the whole; each further one divides it. */
export type Backdrop = {
  readonly shapes: FeatureCollection<
    Polygon | MultiPolygon,
    { readonly rank: number; readonly tint: number }
  >
  readonly labels: FeatureCollection<
    Point,
    { readonly rank: number; readonly name: string; readonly size: number }
  >
  readonly box: Box | undefined
  readonly ranks: number
}

const tints = 4
const mostRanks = 3

/** Orders shapes by how many of their type there are: one province, nine regions, ninety municipalities. */
export function toBackdrop(outlines: readonly Outline[]): Backdrop {
  const byType = Object.groupBy(outlines, ({ properties }) => properties.Type ?? '')
  const types = Object.values(byType)
    .flatMap((group) => (group === undefined ? [] : [group]))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, mostRanks)
  return {
    shapes: { type: 'FeatureCollection', features: types.flatMap(toShapes) },
    labels: { type: 'FeatureCollection', features: types.flatMap(toLabels) },
    box: joinBoxes(outlines.map(({ geometry }) => boxAround(geometry))),
    ranks: types.length,
  }
}

function toShapes(group: readonly Outline[], rank: number) {
  // Only the first division of the whole is tinted.
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

/** Names in two languages stand one below the other, as on the maps of the region. */
export function toLabel(name: string): string {
  return name
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n')
}
