import type { FeatureCollection, Geometry } from 'geojson'
import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl'
import { colour, labelFont } from '../engine/colours.ts'
import { aboveBackground, isPaper } from '../engine/open-map.ts'
import type { Backdrop, Landmark, Outline } from './outline.ts'
import { once, readJson } from '../../api/index.ts'
import { toBackdrop } from './outline.ts'

/** Draws the hub's shapes: land in quiet tints, borders by rank, and names where there is room. */
export function drawBackdrop(map: MapLibreMap, backdrop: Backdrop) {
  if (map.getSource('backdrop') !== undefined) return
  map.addSource('backdrop', { type: 'geojson', data: { ...backdrop.shapes }, tolerance: 0.3 })
  map.addSource('backdrop-names', { type: 'geojson', data: { ...backdrop.labels } })
  map.addSource('backdrop-landmarks', { type: 'geojson', data: { ...backdrop.landmarks } })
  const layers = isPaper(map)
    ? [...fills(), ...lines(), ...landmarks(), ...names(backdrop.ranks)]
    : lines()
  for (const layer of layers) map.addLayer(layer, aboveBackground)
}

function fills(): readonly LayerSpecification[] {
  return [
    {
      id: 'backdrop-land',
      type: 'fill',
      source: 'backdrop',
      filter: ['==', ['get', 'rank'], 0],
      paint: { 'fill-color': colour('land') },
    },
    {
      id: 'backdrop-tints',
      type: 'fill',
      source: 'backdrop',
      filter: ['==', ['get', 'rank'], 1],
      paint: {
        'fill-color': [
          'match',
          ['get', 'tint'],
          0,
          colour('tint0'),
          1,
          colour('tint1'),
          2,
          colour('tint2'),
          colour('tint3'),
        ],
      },
    },
  ]
}

function lines(): readonly LayerSpecification[] {
  const line = (
    rank: number,
    name: 'edge' | 'border' | 'hairline',
    [far, near]: readonly [number, number],
  ): LayerSpecification => ({
    id: `backdrop-line-${rank}`,
    type: 'line',
    source: 'backdrop',
    filter: ['==', ['get', 'rank'], rank],
    ...(rank === 2 ? { minzoom: 8 } : {}),
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': colour(name),
      'line-width': ['interpolate', ['linear'], ['zoom'], 7, far, 12, near],
    },
  })
  return [line(2, 'hairline', [0.4, 1]), line(1, 'border', [0.7, 1.6]), line(0, 'edge', [1.2, 2.4])]
}

/**
 * Layers of the landmarks: rivers below roads below towns. Roads and rivers get names where there
 * is room.
 */
function landmarks(): readonly LayerSpecification[] {
  const source = 'backdrop-landmarks'
  const course = (
    type: 'river' | 'road',
    [far, near]: readonly [number, number],
  ): LayerSpecification => ({
    id: `backdrop-${type}`,
    type: 'line',
    source,
    filter: ['==', ['get', 'Type'], type],
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: {
      'line-color': colour(type),
      'line-width': ['interpolate', ['linear'], ['zoom'], 7, far, 12, near],
    },
  })
  return [
    course('river', [1, 3]),
    course('road', [0.8, 3]),
    {
      ...{ id: 'backdrop-town', type: 'circle', source, filter: ['==', ['get', 'Type'], 'town'] },
      paint: { 'circle-color': colour('label'), 'circle-radius': 2 },
    },
    {
      ...{ id: 'backdrop-course-name', type: 'symbol', source, minzoom: 8.5 },
      filter: ['in', ['get', 'Type'], ['literal', ['river', 'road']]],
      layout: {
        'symbol-placement': 'line',
        'text-field': ['get', 'Name'],
        'text-font': labelFont,
        'text-size': 10.5,
        'symbol-spacing': 350,
      },
      paint: nameInk,
    },
  ]
}

const nameInk = {
  'text-color': colour('label'),
  'text-halo-color': colour('halo'),
  'text-halo-width': 1.2,
} as const

function names(ranks: number): readonly LayerSpecification[] {
  // The name of the whole region is obvious, so only its parts are labelled.
  return Array.from({ length: ranks }, (_, index) => index)
    .filter((rank) => rank > 0 || ranks === 1)
    .map((rank) => ({
      id: `backdrop-name-${rank}`,
      type: 'symbol',
      source: 'backdrop-names',
      filter: ['==', ['get', 'rank'], rank],
      ...(rank < 2 ? { minzoom: 7.2, ...(ranks > 2 ? { maxzoom: 9.4 } : {}) } : { minzoom: 9 }),
      layout: {
        'text-field': ['get', 'name'],
        'text-font': labelFont,
        'text-size': rank < 2 ? 12.5 : ['interpolate', ['linear'], ['zoom'], 9, 10.5, 13, 14],
        'text-letter-spacing': rank < 2 ? 0.12 : 0.01,
        'text-line-height': 1.15,
        'text-max-width': 9,
        'text-padding': 3,
        // A name moves aside if data is drawn at its position.
        'text-variable-anchor': ['center', 'top', 'bottom'],
        'text-radial-offset': 1.3,
        'text-justify': 'auto',
        'symbol-sort-key': ['-', ['get', 'size']],
      },
      paint: nameInk,
    }))
}

/** The response; records without a shape have a null geometry. */
type Answer = FeatureCollection<Geometry | null, Outline['properties']>

/** Loads the hub's own shapes once. Without any, maps have an empty background. */
export const loadBackdrop = once(async (): Promise<Backdrop> => {
  const { features } = await readJson<Answer>('/v1/GeoShapes', {
    format: 'geojson',
    fields: 'Name,Type',
    pagesize: 1000,
  })
  return toBackdrop(features.filter(isOutline), features.filter(isLandmark))
})

function isOutline(feature: Answer['features'][number]): feature is Outline {
  const type = feature.geometry?.type
  return type === 'Polygon' || type === 'MultiPolygon'
}

function isLandmark(feature: Answer['features'][number]): feature is Landmark {
  const type = feature.geometry?.type
  return type === 'LineString' || type === 'MultiLineString' || type === 'Point'
}
