import type { FeatureCollection } from 'geojson'
import type { LayerSpecification } from 'maplibre-gl'
import type { Area } from '../../dataset/query/index.ts'
import { colour } from '../engine/colours.ts'
import { toRing } from './area-shape.ts'

/** An area is a wash of the accent with a firm edge; what is still drawn is dashed. */
export function areaLayers(source: string): { readonly layers: readonly LayerSpecification[] } {
  return {
    layers: [
      {
        ...{
          id: `${source}-wash`,
          type: 'fill',
          source,
          filter: ['==', ['geometry-type'], 'Polygon'],
        },
        paint: { 'fill-color': colour('accent'), 'fill-opacity': 0.1 },
      },
      {
        ...{ id: `${source}-edge`, type: 'line', source, layout: { 'line-join': 'round' } },
        paint: {
          'line-color': colour('accent'),
          'line-width': 2,
          'line-dasharray': ['case', ['get', 'isDrawn'], ['literal', [1]], ['literal', [2, 2]]],
        },
      },
    ],
  }
}

/** What of an area is drawn. */
export function toAreaData(
  area: Area | undefined,
  state: 'drawn' | 'being drawn',
): FeatureCollection {
  if (area === undefined) return { type: 'FeatureCollection', features: [] }
  const coordinates = [toRing(area).map((position) => [...position])]
  const geometry = { type: 'Polygon' as const, coordinates }
  const properties = { isDrawn: state === 'drawn' }
  return { type: 'FeatureCollection', features: [{ type: 'Feature', geometry, properties }] }
}
