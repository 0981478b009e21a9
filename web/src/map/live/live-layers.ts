import type { LayerSpecification } from 'maplibre-gl'
import { colour, labelFont } from '../engine/open-map.ts'
import { chosenRing, paintOf } from '../points/shape-layers.ts'

/** Values as coloured points; what is stale is hollow; the value stands beside where there is room. */
export function liveLayers(source: string): { readonly layers: readonly LayerSpecification[] } {
  const paint = paintOf('stale')
  return {
    layers: [
      {
        ...{ id: `${source}-values`, type: 'circle', source },
        paint: {
          'circle-color': ['case', ['get', 'isHollow'], colour('sheet'), paint],
          'circle-radius': ['interpolate', ['linear'], ['zoom'], 7, 6, 13, 9],
          'circle-stroke-color': ['case', ['get', 'isHollow'], paint, colour('sheet')],
          'circle-stroke-width': ['case', ['get', 'isHollow'], 2.5, 1.5],
        },
      },
      {
        ...{ id: `${source}-chosen`, type: 'circle', source, filter: ['==', ['get', 'id'], ''] },
        paint: chosenRing,
      },
      {
        ...{ id: `${source}-labels`, type: 'symbol', source, minzoom: 8 },
        layout: {
          'text-field': ['get', 'label'],
          'text-font': labelFont,
          'text-size': 11.5,
          'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
          'text-radial-offset': 0.9,
          'text-padding': 3,
        },
        paint: {
          'text-color': colour('ink'),
          'text-halo-color': colour('halo'),
          'text-halo-width': 1.6,
        },
      },
    ],
  }
}
