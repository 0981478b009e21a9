import type { Geometry, Position } from 'geojson'

/** West, south, east, north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** The box around a geometry; undefined around nothing. */
export function boxAround(geometry: Geometry | null | undefined): Box | undefined {
  if (geometry === null || geometry === undefined) return undefined
  if (geometry.type === 'GeometryCollection') return joinBoxes(geometry.geometries.map(boxAround))
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [longitude = 0, latitude = 0] of positionsOf(geometry)) {
    west = Math.min(west, longitude)
    south = Math.min(south, latitude)
    east = Math.max(east, longitude)
    north = Math.max(north, latitude)
  }
  return west > east ? undefined : [west, south, east, north]
}

/** The box around boxes. */
export function joinBoxes(boxes: readonly (Box | undefined)[]): Box | undefined {
  return boxes.reduce<Box | undefined>((all, box) => {
    if (all === undefined || box === undefined) return all ?? box
    return [
      Math.min(all[0], box[0]),
      Math.min(all[1], box[1]),
      Math.max(all[2], box[2]),
      Math.max(all[3], box[3]),
    ]
  }, undefined)
}

/** All positions of a geometry, one after the other. */
export function positionsOf(
  geometry: Exclude<Geometry, { readonly type: 'GeometryCollection' }>,
): readonly Position[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates]
    case 'MultiPoint':
    case 'LineString':
      return geometry.coordinates
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates.flat()
    case 'MultiPolygon':
      return geometry.coordinates.flat(2)
  }
}
