import type { Geometry } from 'geojson'
import { positionsOf } from '../camera.ts'
import type { PlaceFeature } from '../points/shape-layers.ts'

/** An event with a place; `geometry` is GeoJSON, and what is none is not drawn. */
export type MapEvent = {
  readonly id: string
  readonly title: string
  readonly kind?: string | undefined
  readonly geometry: unknown
}

export type EventKind = { readonly id: string; readonly label: string }

const colours = 8
const forms = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]

/** Events as what the map draws. */
export function toEventFeatures(
  events: readonly MapEvent[],
  kinds: readonly EventKind[],
): readonly PlaceFeature[] {
  return events.flatMap(({ id, title, kind, geometry }) =>
    isGeometry(geometry)
      ? [
          {
            id,
            title,
            geometry,
            ...(kind === undefined ? {} : { paint: paintOfKind(kind, kinds) }),
          },
        ]
      : [],
  )
}

/** A point in the middle of a line, with the same id and colour; nothing for all else. */
export function toMiddle(feature: PlaceFeature): readonly PlaceFeature[] {
  const { geometry } = feature
  if (geometry.type !== 'LineString' && geometry.type !== 'MultiLineString') return []
  const positions = positionsOf(geometry)
  const middle = positions[Math.floor(positions.length / 2)]
  if (middle === undefined) return []
  return [{ ...feature, geometry: { type: 'Point', coordinates: middle } }]
}

/** The colour of a kind, by its position; one that is not named has that of the service. */
export function paintOfKind(kind: string, kinds: readonly EventKind[]): string {
  const index = kinds.findIndex(({ id }) => id === kind)
  return index === -1 ? 'traffic' : `kind${String(Math.min(index, colours - 1))}`
}

function isGeometry(value: unknown): value is Geometry {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && forms.includes(value.type)
}
