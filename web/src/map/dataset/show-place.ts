import type { Map as MapLibreMap } from 'maplibre-gl'
import { boxAround, boxInView, fit, goTo } from '../camera.ts'
import type { PlaceFeature } from '../points/shape-layers.ts'
import { isInBox } from './to-place.ts'

const near = 12

/** Brings a place that was chosen elsewhere into view; one that is in view stays where it is. */
export function showPlace(map: MapLibreMap, place: PlaceFeature): void {
  if (isInBox(place, boxInView(map))) return
  if (place.geometry.type === 'Point') {
    goTo(map, place.geometry.coordinates, Math.max(near, map.getZoom()))
    return
  }
  const box = boxAround(place.geometry)
  if (box !== undefined) fit(map, box, 'ease')
}
