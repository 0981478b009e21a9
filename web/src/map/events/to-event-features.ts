import type { Geometry } from 'geojson'
import { positionsOf } from '../camera.ts'
import type { PlaceFeature } from '../points/shape-layers.ts'

/**
 * Severities from lowest to highest, as colours of `colours.css` that differ by lightness alone.
 */
const paints = {
  none: 'step0',
  lowest: 'step1',
  low: 'step2',
  medium: 'step3',
  high: 'step4',
  highest: 'step5',
} as const

/** An event for the map. It is not drawn unless `geometry` is GeoJSON. */
export type MapEvent = {
  readonly id: string
  readonly title: string
  readonly kind?: string | undefined
  /** Severity; unknown ones get the colour of the service. */
  readonly severity?: string
  readonly geometry: unknown
}

/** A kind or a severity with its label. */
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

/** Converts events to map features, the most severe on top. */
export function toEventFeatures(events: readonly MapEvent[]): readonly PlaceFeature[] {
  return events
    .flatMap(({ id, title, kind, severity = '', geometry }) =>
      isGeometry(geometry)
        ? [{ id, title, geometry, paint: paintOf(severity), symbol: symbolOf(kind) }]
        : [],
    )
    .toSorted((a, b) => a.paint.localeCompare(b.paint))
}

/**
 * Returns a point in the middle of a line, with the same id and colour, or an empty list for any
 * other geometry.
 */
export function toMiddle(feature: PlaceFeature): readonly PlaceFeature[] {
  const { geometry } = feature
  if (geometry.type !== 'LineString' && geometry.type !== 'MultiLineString') return []
  const positions = positionsOf(geometry)
  const middle = positions[Math.floor(positions.length / 2)]
  if (middle === undefined) return []
  return [{ ...feature, geometry: { type: 'Point', coordinates: middle } }]
}

/** Returns the colour of a severity. It does not depend on which others are shown. */
export function paintOf(severity: string): string {
  return Object.entries(paints).find(([name]) => name === severity)?.[1] ?? 'other'
}

/**
 * Characters that common fonts contain, for each of the hub's kinds (`event-kinds.yaml`). Unknown
 * kinds get a dot.
 */
const symbols: Readonly<Record<string, string>> = {
  ...{ closure: '–', prohibition: 'Ø', accident: '×', congestion: '≡', hindrance: '▪' },
  ...{ 'road-work': '▲', 'road-condition': '≈', 'weather-related': '*', 'animal-on-road': '∴' },
  ...{ caution: '!', event: '★', 'speed-camera': '◎' },
}

/** Returns the symbol of a kind. It does not depend on which others are shown. */
export function symbolOf(kind: string | undefined): string {
  return symbols[kind ?? ''] ?? '•'
}

function isGeometry(value: unknown): value is Geometry {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && forms.includes(value.type)
}
