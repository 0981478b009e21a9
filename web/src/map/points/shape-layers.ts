import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { colour, colourNames } from '../engine/colours.ts'
import type { ColourName } from '../engine/colours.ts'
import type { Tone } from './tone.ts'

/** The colour of a feature: its own, or the one that all have. */
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

/** Which of the features the marks of the chosen one are drawn for. */
export function chosenFilter(
  id: string | undefined,
  form: 'points' | 'lines',
): ExpressionSpecification {
  const isOfForm: ExpressionSpecification = form === 'points' ? points : ['!', points]
  return ['all', isOfForm, ['==', ['get', 'id'], id ?? '']]
}

const nothing = chosenFilter(undefined, 'points')
const layout = { 'line-join': 'round', 'line-cap': 'round' } as const

/** How points, lines and areas are drawn; the chosen one with a ring around it. */
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
      {
        ...{ id: `${source}-points`, type: 'circle', source, filter: points },
        paint: {
          'circle-color': paint,
          'circle-radius': ['interpolate', ['linear'], ['zoom'], 7, 4, 13, 7],
          'circle-stroke-color': colour('sheet'),
          'circle-stroke-width': 1.5,
        },
      },
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

/** The ring around what is chosen. */
export const chosenRing = {
  'circle-color': 'rgba(0, 0, 0, 0)',
  'circle-radius': 11,
  'circle-stroke-color': colour('chosen'),
  'circle-stroke-width': 3,
} as const
