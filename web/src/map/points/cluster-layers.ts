import type { GeoJSONSourceSpecification, LayerSpecification } from 'maplibre-gl'
import { colour } from '../engine/colours.ts'
import { labelFont } from '../engine/map-style.ts'
import type { Tone } from './tone.ts'

export const clusterOptions: Partial<GeoJSONSourceSpecification> = {
  cluster: true,
  clusterRadius: 42,
  clusterMaxZoom: 17,
  maxzoom: 18,
}

/** Points, and circles with a number for those that stand too close; the more, the larger. */
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
        // Names of the sheet keep off the whole circle.
        'text-padding': 7,
      },
      paint: { 'text-color': colour('ink') },
    },
  ]
}
