import type { FeatureCollection } from 'geojson'
import type { Map as MapLibreMap, LayerSpecification } from 'maplibre-gl'
import type { Position, Area } from '../../dataset/query/index.ts'
import { boxBetween, toRing } from './area-shape.ts'
import type { Box } from './area-shape.ts'
import { colour } from '../engine/colours.ts'

/** Returns the geographic position of a pointer. */
export function placeAt(map: MapLibreMap, event: PointerEvent): Position {
  const { left, top } = map.getContainer().getBoundingClientRect()
  const { lng, lat } = map.unproject([event.clientX - left, event.clientY - top])
  return [lng, lat]
}

/** Disables panning and zooming of a map. Returns a function that enables them again. */
function holdMap(map: MapLibreMap): () => void {
  const container = map.getContainer()
  const canvas = map.getCanvasContainer()
  const handlers = [map.dragPan, map.doubleClickZoom, map.touchZoomRotate]
  const held = handlers.filter((handler) => handler.isEnabled())
  for (const handler of held) handler.disable()
  container.dataset['drawing'] = ''
  canvas.style.touchAction = 'none'
  map.getCanvas().style.cursor = 'crosshair'
  return () => {
    for (const handler of held) handler.enable()
    canvas.style.touchAction = ''
    map.getCanvas().style.cursor = ''
    // The click that ends the drawing must not select anything below it.
    setTimeout(() => {
      delete container.dataset['drawing']
    }, 300)
  }
}

type Drawing = {
  readonly onpreview: (area: Area | undefined) => void
  readonly ondone: (area: Box) => void
  readonly oncancel: () => void
}

/** Drags shorter than this, in pixels, count as clicks. */
const near = 10

/**
 * Lets the user drag a rectangle on a map, until it is done or cancelled. Returns a function that
 * stops it.
 */
export function drawArea(map: MapLibreMap, { onpreview, ondone, oncancel }: Drawing): () => void {
  const canvas = map.getCanvasContainer()
  const stopped = new AbortController()
  const options = { signal: stopped.signal }
  stopped.signal.addEventListener('abort', holdMap(map))
  const stop = () => {
    stopped.abort()
  }
  let start: Position | undefined
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return
    canvas.setPointerCapture(event.pointerId)
    start = placeAt(map, event)
  }
  const move = (event: PointerEvent) => {
    if (start !== undefined && event.isPrimary) onpreview(boxBetween(start, placeAt(map, event)))
  }
  const up = (event: PointerEvent) => {
    if (start === undefined || event.button !== 0 || !event.isPrimary) return
    const [from, to] = [start, placeAt(map, event)]
    start = undefined
    if (pixelsBetween(map, from, to) < near) onpreview(undefined)
    else {
      ondone(boxBetween(from, to))
      stop()
    }
  }
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    oncancel()
    stop()
  }
  canvas.addEventListener('pointerdown', down, options)
  canvas.addEventListener('pointermove', move, options)
  canvas.addEventListener('pointerup', up, options)
  window.addEventListener('keydown', key, options)
  map.getCanvas().focus({ preventScroll: true })
  return stop
}

function pixelsBetween(map: MapLibreMap, a: Position, b: Position): number {
  const [from, to] = [map.project([...a]), map.project([...b])]
  return Math.hypot(from.x - to.x, from.y - to.y)
}

/** Layers of an area: a tinted fill with a solid edge, dashed while it is being drawn. */
export function areaLayers(source: string): { readonly layers: readonly LayerSpecification[] } {
  return {
    layers: [
      {
        ...{
          id: `${source}-wash`,
          type: 'fill',
          source,
          filter: ['==', ['geometry-type'], 'Polygon'],
        },
        paint: { 'fill-color': colour('accent'), 'fill-opacity': 0.1 },
      },
      {
        ...{ id: `${source}-edge`, type: 'line', source, layout: { 'line-join': 'round' } },
        paint: {
          'line-color': colour('accent'),
          'line-width': 2,
          'line-dasharray': ['case', ['get', 'isDrawn'], ['literal', [1]], ['literal', [2, 2]]],
        },
      },
    ],
  }
}

/** Returns the features that show an area. */
export function toAreaData(
  area: Area | undefined,
  state: 'drawn' | 'being drawn',
): FeatureCollection {
  if (area === undefined) return { type: 'FeatureCollection', features: [] }
  const coordinates = [toRing(area).map((position) => [...position])]
  const geometry = { type: 'Polygon' as const, coordinates }
  const properties = { isDrawn: state === 'drawn' }
  return { type: 'FeatureCollection', features: [{ type: 'Feature', geometry, properties }] }
}
