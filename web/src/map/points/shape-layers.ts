import type { FeatureCollection, Geometry } from 'geojson'
import type {
  ExpressionSpecification,
  LayerSpecification,
  GeoJSONSourceSpecification,
} from 'maplibre-gl'
import { colour, colourNames, labelFont } from '../engine/colours.ts'
import type { ColourName } from '../engine/colours.ts'

/** Returns the colour of a feature: its own `paint`, or else that of the layer. */
export function paintOf(otherwise: ColourName): ExpressionSpecification {
  const own = colourNames.filter((name) => /^(kind|step)\d$/.test(name))
  const [first = otherwise, ...further] = own
  return [
    'match',
    ['coalesce', ['get', 'paint'], ''],
    first,
    colour(first),
    ...further.flatMap((name) => [name, colour(name)]),
    colour(otherwise),
  ]
}

const isOfType = (...types: readonly string[]): ExpressionSpecification => [
  'in',
  ['geometry-type'],
  ['literal', [...types]],
]
const areas = isOfType('Polygon', 'MultiPolygon')
const points = isOfType('Point', 'MultiPoint')

/** Returns the filter of the layers that highlight the selected feature. */
export function chosenFilter(
  id: string | undefined,
  form: 'points' | 'lines',
): ExpressionSpecification {
  const isOfForm: ExpressionSpecification = form === 'points' ? points : ['!', points]
  return ['all', isOfForm, ['==', ['get', 'id'], id ?? '']]
}

const hasSymbol: ExpressionSpecification = ['has', 'symbol']
/**
 * The lower steps of the scale are closer to the background than to the ink, in light and dark
 * mode.
 */
const isPale: ExpressionSpecification = [
  'in',
  ['coalesce', ['get', 'paint'], ''],
  ['literal', ['step0', 'step1', 'step2']],
]
const nothing = chosenFilter(undefined, 'points')
const layout = { 'line-join': 'round', 'line-cap': 'round' } as const

/** Returns the layers of points, lines and areas; the selected feature is highlighted. */
export function shapeLayers(
  source: string,
  tone: Tone,
): { readonly layers: readonly LayerSpecification[] } {
  const paint = paintOf(tone)
  return {
    layers: [
      {
        ...{ id: `${source}-areas`, type: 'fill', source, filter: areas },
        paint: { 'fill-color': paint, 'fill-opacity': 0.14 },
      },
      {
        ...{ id: `${source}-casing`, type: 'line', source, filter: ['!', points], layout },
        paint: { 'line-color': colour('sheet'), 'line-width': 5, 'line-opacity': 0.7 },
      },
      {
        ...{ id: `${source}-lines`, type: 'line', source, filter: ['!', points], layout },
        paint: { 'line-color': paint, 'line-width': 2.5 },
      },
      ...pointLayers(source, paint),
      {
        ...{ id: `${source}-chosen-line`, type: 'line', source, layout, filter: nothing },
        paint: { 'line-color': colour('chosen'), 'line-width': 5 },
      },
      {
        ...{ id: `${source}-chosen`, type: 'circle', source, filter: nothing },
        paint: chosenRing,
      },
    ],
  }
}

/** Circles, larger if they carry a symbol. */
function pointLayers(
  source: string,
  paint: ExpressionSpecification,
): readonly LayerSpecification[] {
  const radius = (plain: number): ExpressionSpecification => ['case', hasSymbol, plain + 3, plain]
  return [
    {
      ...{ id: `${source}-points`, type: 'circle', source, filter: points },
      paint: {
        'circle-color': paint,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 7, radius(4), 13, radius(7)],
        'circle-stroke-color': colour('sheet'),
        'circle-stroke-width': 1.5,
      },
    },
    {
      ...{ id: `${source}-symbols`, type: 'symbol', source, filter: ['all', points, hasSymbol] },
      layout: {
        'text-field': ['get', 'symbol'],
        'text-font': labelFont,
        'text-size': 13,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': ['case', isPale, colour('ink'), colour('sheet')] },
    },
  ]
}

/** Ring around the selected point. */
export const chosenRing = {
  'circle-color': 'rgba(0, 0, 0, 0)',
  'circle-radius': 11,
  'circle-stroke-color': colour('chosen'),
  'circle-stroke-width': 3,
} as const

/** Service that the data belongs to, which decides its colour on maps. */
export type Tone = 'content' | 'timeseries' | 'traffic'

/**
 * Something on a map. `paint` is a name from `colours.css`, for features that differ from their
 * layer.
 */
export type PlaceFeature = {
  readonly id: string
  readonly title: string
  readonly geometry: Geometry
  readonly paint?: string
  /** A character on a point. */
  readonly symbol?: string
}

/** Properties that are kept on the map; clicks identify a feature by `id`. */
type PlaceProperties = Pick<PlaceFeature, 'id' | 'paint' | 'symbol'>

/** Converts features to the GeoJSON of a map source. */
export function toCollection(
  features: readonly PlaceFeature[],
): FeatureCollection<Geometry, PlaceProperties> {
  return {
    type: 'FeatureCollection',
    features: features.map(({ geometry, title: _, ...properties }) => ({
      type: 'Feature',
      geometry,
      properties,
    })),
  }
}

export function isPoint({ geometry }: PlaceFeature): boolean {
  return geometry.type === 'Point' || geometry.type === 'MultiPoint'
}

export const clusterOptions: Partial<GeoJSONSourceSpecification> = {
  cluster: true,
  clusterRadius: 42,
  clusterMaxZoom: 17,
  maxzoom: 18,
}

/**
 * Returns the layers of clustered points: single points, and circles with a number, larger the more
 * points they hold.
 */
export function clusterLayers(
  source: string,
  { tone, locale }: { readonly tone: Tone; readonly locale: string },
): readonly LayerSpecification[] {
  return [
    {
      ...{ id: `${source}-single`, type: 'circle', source, filter: ['!', ['has', 'point_count']] },
      paint: {
        'circle-color': colour(tone),
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 7, 4, 13, 7],
        'circle-stroke-color': colour('sheet'),
        'circle-stroke-width': 1.5,
      },
    },
    {
      ...{ id: `${source}-many`, type: 'circle', source, filter: ['has', 'point_count'] },
      paint: {
        'circle-color': colour('sheet'),
        'circle-radius': ['step', ['get', 'point_count'], 12, 10, 14, 100, 18, 1000, 23],
        'circle-stroke-color': colour(tone),
        'circle-stroke-width': 2.5,
      },
    },
    {
      ...{ id: `${source}-number`, type: 'symbol', source, filter: ['has', 'point_count'] },
      layout: {
        'text-field': ['number-format', ['get', 'point_count'], { locale }],
        'text-font': labelFont,
        'text-size': 12,
        'text-allow-overlap': true,
        // Keeps labels of the background off the whole circle.
        'text-padding': 7,
      },
      paint: { 'text-color': colour('ink') },
    },
  ]
}
