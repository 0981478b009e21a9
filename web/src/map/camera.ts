import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Geometry, Position } from 'geojson'

/** Where a map looks. */
export type Camera = {
  readonly latitude: number
  readonly longitude: number
  readonly zoom: number
}

const closest = 15

/** A camera as three numbers of the address: latitude and longitude to a metre. */
export function toNumbers({ latitude, longitude, zoom }: Camera): readonly number[] {
  return [round(latitude, 5), round(longitude, 5), round(zoom, 2)]
}

/** Reads three numbers of the address; others than those of a place on Earth are none. */
export function toCamera(numbers: readonly number[] | undefined): Camera | undefined {
  const [latitude = NaN, longitude = NaN, zoom = NaN] = numbers ?? []
  const isPlace = Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180
  return isPlace && zoom >= 0 && zoom <= 22 ? { latitude, longitude, zoom } : undefined
}

/** Told with moves that somebody wanted, beside those of their hands. */
const wanted = { isWanted: true }

/** Whether somebody wanted a move; others come from a map that finds its place, or its size. */
export function isWanted(move: object): boolean {
  return 'isWanted' in move || ('originalEvent' in move && move.originalEvent !== undefined)
}

/** Goes to a place that somebody chose. */
export function goTo(map: MapLibreMap, [longitude, latitude]: readonly number[], zoom: number) {
  map.easeTo({ center: [longitude ?? 0, latitude ?? 0], zoom }, wanted)
}

export function cameraOf(map: MapLibreMap): Camera {
  const { lng, lat } = map.getCenter()
  return { latitude: lat, longitude: lng, zoom: map.getZoom() }
}

type Fitting = {
  readonly how: 'jump' | 'ease'
  /** Pixels at the bottom where something lies over the map. */
  readonly covered?: number
}

/** Shows all of a box, and not only a doorstep where the box is a point. */
export function fit(
  map: MapLibreMap,
  [west, south, east, north]: Box,
  { how, covered = 0 }: Fitting,
) {
  const options = { padding: paddingIn(map.getContainer(), covered), maxZoom: closest }
  if (how === 'jump') map.fitBounds([west, south, east, north], { ...options, animate: false })
  else map.fitBounds([west, south, east, north], { ...options, duration: 500 }, wanted)
}

/** @param covered pixels at the bottom */
export function paddingIn(
  { clientWidth, clientHeight }: Pick<HTMLElement, 'clientWidth' | 'clientHeight'>,
  covered: number,
) {
  const around = Math.min(56, clientWidth / 8, clientHeight / 8)
  // A small map would have no room left.
  const bottom = around + Math.min(covered, clientHeight / 3)
  return { top: around, left: around, right: around, bottom }
}

export function boxInView(map: MapLibreMap): Box {
  const bounds = map.getBounds()
  return [
    Math.max(-180, bounds.getWest()),
    Math.max(-90, bounds.getSouth()),
    Math.min(180, bounds.getEast()),
    Math.min(90, bounds.getNorth()),
  ]
}

function round(value: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}

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
