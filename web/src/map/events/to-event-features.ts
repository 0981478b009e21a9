import type { Geometry } from 'geojson'
import { positionsOf } from '../camera.ts'
import type { PlaceFeature } from '../points/shape-layers.ts'

/** From the least to the worst, as colours of `colours.css`: lightness alone tells them apart. */
const paints = {
  none: 'step0',
  lowest: 'step1',
  low: 'step2',
  medium: 'step3',
  high: 'step4',
  highest: 'step5',
} as const

/** An event with a place; `geometry` is GeoJSON, and what is none is not drawn. */
export type MapEvent = {
  readonly id: string
  readonly title: string
  readonly kind?: string | undefined
  /** How severe it is; what is not in the scale has the colour of the service. */
  readonly severity?: string
  readonly geometry: unknown
}

/** A kind or a severity, and how it is called. */
export type Named = { readonly id: string; readonly label: string }

const forms = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]

/** Events as what the map draws, the worst on top. */
export function toEventFeatures(events: readonly MapEvent[]): readonly PlaceFeature[] {
  return events
    .flatMap(({ id, title, kind, severity = '', geometry }) =>
      isGeometry(geometry)
        ? [{ id, title, geometry, paint: paintOf(severity), symbol: symbolOf(kind) }]
        : [],
    )
    .toSorted((a, b) => a.paint.localeCompare(b.paint))
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

/** The colour of a severity: the same whichever others are shown. */
export function paintOf(severity: string): string {
  return Object.entries(paints).find(([name]) => name === severity)?.[1] ?? 'other'
}

/** A character that fonts have, for each of the kinds of the hub (`event-kinds.yaml`); others share a dot. */
const symbols: Readonly<Record<string, string>> = {
  ...{ closure: '–', prohibition: 'Ø', accident: '×', congestion: '≡', hindrance: '▪' },
  ...{ 'road-work': '▲', 'road-condition': '≈', 'weather-related': '*', 'animal-on-road': '∴' },
  ...{ caution: '!', event: '★', 'speed-camera': '◎' },
}

/** What stands for a kind, whichever others are shown. */
export function symbolOf(kind: string | undefined): string {
  return symbols[kind ?? ''] ?? '•'
}

function isGeometry(value: unknown): value is Geometry {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && forms.includes(value.type)
}
