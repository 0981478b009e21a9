import { describe, expect, it } from 'vitest'
import { shapeOf } from './geojson.ts'

describe('The shape of a record', () => {
  it('is the geometry of its position as GeoJSON, for any entity', () => {
    const road = { Geo: { position: { Geometry: 'LINESTRING(11.3 46.5, 11.4 46.6)' } } }
    const coordinates = [
      [11.3, 46.5],
      [11.4, 46.6],
    ]
    expect(shapeOf(road)).toMatchObject({ type: 'LineString', coordinates })
  })

  it('is undefined if the geometry is missing or not valid', () => {
    expect(shapeOf({})).toBeUndefined()
    expect(shapeOf({ Geo: { position: { Latitude: 46.5 } } })).toBeUndefined()
    expect(shapeOf({ Geo: { position: { Geometry: 'LINESTRING(' } } })).toBeUndefined()
  })
})
