import type { Geometry, Position } from '../events/event.ts'

type Place = { readonly latitude: number; readonly longitude: number }

/** Where a shape begins. */
export function firstPosition(geometry: Geometry): Place | undefined {
  const [longitude, latitude] = firstOf(geometry) ?? []
  return longitude === undefined || latitude === undefined ? undefined : { latitude, longitude }
}

function firstOf(geometry: Geometry): Position | undefined {
  switch (geometry.type) {
    case 'Point':
      return geometry.coordinates
    case 'LineString':
    case 'MultiPoint':
      return geometry.coordinates[0]
    case 'Polygon':
    case 'MultiLineString':
      return geometry.coordinates[0]?.[0]
    case 'MultiPolygon':
      return geometry.coordinates[0]?.[0]?.[0]
  }
}
