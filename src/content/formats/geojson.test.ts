import { describe, expect, it } from 'vitest'
import { shapeOf } from './geojson.ts'

describe('The shape of a record', () => {
  it('is what stands beside a position of any entity, as GeoJSON', () => {
    const road = { Geo: { position: { Geometry: 'LINESTRING(11.3 46.5, 11.4 46.6)' } } }
    const coordinates = [
      [11.3, 46.5],
      [11.4, 46.6],
    ]
    expect(shapeOf(road)).toMatchObject({ type: 'LineString', coordinates })
  })

  it('is undefined where there is none or none that can be read', () => {
    expect(shapeOf({})).toBeUndefined()
    expect(shapeOf({ Geo: { position: { Latitude: 46.5 } } })).toBeUndefined()
    expect(shapeOf({ Geo: { position: { Geometry: 'LINESTRING(' } } })).toBeUndefined()
  })
})
