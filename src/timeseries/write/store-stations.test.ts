import { describe, expect, it } from 'vitest'
import { geometryFault } from './store-stations.ts'

const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
]

describe('A GeoJSON geometry', () => {
  it.each([
    { type: 'Point', coordinates: [11.3, 46.4] },
    { type: 'Point', coordinates: [11.3, 46.4, 250] },
    { type: 'MultiPoint', coordinates: [[11, 46]] },
    {
      type: 'LineString',
      coordinates: [
        [11, 46],
        [12, 46],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [11, 46],
          [12, 46],
        ],
      ],
    },
    { type: 'Polygon', coordinates: [ring] },
    { type: 'MultiPolygon', coordinates: [[ring]] },
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
  ])('of the type $type is accepted if its coordinates are valid', (geometry) => {
    expect(geometryFault(geometry)).toBeUndefined()
  })

  it.each([
    ['no position', { type: 'Point', coordinates: [] }],
    ['a text for a number', { type: 'Point', coordinates: ['11', 46] }],
    ['latitude before longitude', { type: 'Point', coordinates: [46, 111] }],
    ['a line of one position', { type: 'LineString', coordinates: [[11, 46]] }],
    [
      'a ring that is not closed',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
    ],
    ['no coordinates', { type: 'Point' }],
    ['another type', { type: 'Circle', coordinates: [11, 46] }],
    ['a bad member', { type: 'GeometryCollection', geometries: [null] }],
    [
      'a bad point inside',
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [999, 1] }] },
    ],
  ])('with %s is refused with a reason', (_, geometry) => {
    expect(geometryFault(geometry)).toMatch(/^has a /)
  })
})
