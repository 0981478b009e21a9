import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Geometry, Position } from 'geojson'

/** Position and zoom of a map. */
export type Camera = {
  readonly latitude: number
  readonly longitude: number
  readonly zoom: number
}

const closest = 15

/**
 * Returns a camera as the three numbers of the URL parameter. Five decimals of a degree are about a
 * metre.
 */
export function toNumbers({ latitude, longitude, zoom }: Camera): readonly number[] {
  return [round(latitude, 5), round(longitude, 5), round(zoom, 2)]
}

/**
 * Parses the three numbers of the URL parameter. Returns undefined if they are no valid position
 * and zoom.
 */
export function toCamera(numbers: readonly number[] | undefined): Camera | undefined {
  const [latitude = NaN, longitude = NaN, zoom = NaN] = numbers ?? []
  const isPlace = Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180
  return isPlace && zoom >= 0 && zoom <= 22 ? { latitude, longitude, zoom } : undefined
}

/** Event data that marks programmatic moves as requested by the user. */
const wanted = { isWanted: true }

/** Reports whether the user caused a move. Other moves occur when a map is fitted or resized. */
export function isWanted(move: object): boolean {
  return 'isWanted' in move || ('originalEvent' in move && move.originalEvent !== undefined)
}

/** Moves to a position that the user chose. */
export function goTo(map: MapLibreMap, [longitude, latitude]: readonly number[], zoom: number) {
  map.easeTo({ center: [longitude ?? 0, latitude ?? 0], zoom }, wanted)
}

export function cameraOf(map: MapLibreMap): Camera {
  const { lng, lat } = map.getCenter()
  return { latitude: lat, longitude: lng, zoom: map.getZoom() }
}

type Fitting = {
  readonly how: 'jump' | 'ease'
  /** Height in pixels that an overlay covers at the bottom. */
  readonly covered?: number
}

/** Fits a box into the map. The zoom is limited, because the box may be a single point. */
export function fit(
  map: MapLibreMap,
  [west, south, east, north]: Box,
  { how, covered = 0 }: Fitting,
) {
  const options = { padding: paddingIn(map.getContainer(), covered), maxZoom: closest }
  if (how === 'jump') map.fitBounds([west, south, east, north], { ...options, animate: false })
  else map.fitBounds([west, south, east, north], { ...options, duration: 500 }, wanted)
}

/**
 * Returns the padding for fitting a box.
 * @param covered pixels at the bottom
 */
export function paddingIn(
  { clientWidth, clientHeight }: Pick<HTMLElement, 'clientWidth' | 'clientHeight'>,
  covered: number,
) {
  const around = Math.min(56, clientWidth / 8, clientHeight / 8)
  // Limited, because a small map would have no room left.
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

/** Returns the bounding box of a geometry, or undefined if it is empty. */
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

/** Returns the bounding box of boxes. */
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

/** Returns all positions of a geometry in order. */
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
