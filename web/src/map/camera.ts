import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Box } from './backdrop/box.ts'

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

export function cameraOf(map: MapLibreMap): Camera {
  const { lng, lat } = map.getCenter()
  return { latitude: lat, longitude: lng, zoom: map.getZoom() }
}

/** Shows all of a box, and not only a doorstep where the box is a point. */
export function fit(map: MapLibreMap, [west, south, east, north]: Box, how: 'jump' | 'ease') {
  const { clientWidth, clientHeight } = map.getContainer()
  const padding = Math.min(56, clientWidth / 8, clientHeight / 8)
  map.fitBounds([west, south, east, north], {
    padding,
    maxZoom: closest,
    ...(how === 'jump' ? { animate: false } : { duration: 500 }),
  })
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
