import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Camera } from '../camera.ts'
import { readColours } from './colours.ts'
import { loadEngine } from './load-engine.ts'
import { toStyle } from './map-style.ts'
import type { Tiles } from './map-style.ts'

export type MapSettings = {
  readonly container: HTMLElement
  readonly tiles: Tiles | undefined
  readonly camera: Camera | undefined
  /** Whether the page scrolls past the map, which then wants two fingers or a key. */
  readonly scroll: 'page' | 'map'
  readonly locale: Readonly<Record<string, string>>
}

/** All of the Alps, until it is known where the data are. */
const somewhere: Camera = { latitude: 46.6, longitude: 11.4, zoom: 7 }

/** Makes a map that can be drawn on. North stays up: it is an atlas, not a flight. */
export async function openMap(settings: MapSettings): Promise<MapLibreMap> {
  const { container, tiles, camera = somewhere, scroll, locale } = settings
  const engine = await loadEngine()
  const map = new engine.Map({
    container,
    style: toStyle(tiles),
    globalState: readColours(container),
    center: [camera.longitude, camera.latitude],
    zoom: camera.zoom,
    minZoom: 2,
    maxZoom: 19,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    boxZoom: false,
    cooperativeGestures: scroll === 'page',
    renderWorldCopies: false,
    fadeDuration: 0,
    locale: { ...locale },
  })
  map.keyboard.disableRotation()
  map.touchZoomRotate.disableRotation()
  map.addControl(new engine.ScaleControl({ maxWidth: 88 }), 'bottom-left')
  await new Promise<void>((resolve) => {
    map.once('style.load', () => {
      resolve()
    })
  })
  return map
}
