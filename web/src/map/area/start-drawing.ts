import type { Map as MapLibreMap, LayerSpecification } from 'maplibre-gl'
import type { Position, Area } from '../../dataset/query/index.ts'
import { boxBetween, toRing } from './area-shape.ts'
import type { Box } from './area-shape.ts'
import type { FeatureCollection } from 'geojson'
import { colour } from '../engine/open-map.ts'

type Step = 'goes on' | 'ends'

type Hand = {
  readonly ondown: (place: Position) => void
  readonly onmove: (place: Position) => void
  readonly onup: (place: Position) => Step
  readonly onescape: () => void
}

/** Gives pointer and keys to who draws, and back to the map when the drawing ends or is stopped. */
function startDrawing(map: MapLibreMap, hand: Hand): () => void {
  const canvas = map.getCanvasContainer()
  const stopped = new AbortController()
  const options = { signal: stopped.signal }
  const release = holdMap(map)
  const stop = () => {
    if (stopped.signal.aborted) return
    stopped.abort()
    release()
  }
  const take = (step: Step) => {
    if (step === 'ends') stop()
  }
  const placeOf = (event: PointerEvent): Position => placeAt(map, event)
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return
    canvas.setPointerCapture(event.pointerId)
    hand.ondown(placeOf(event))
  }
  const move = (event: PointerEvent) => {
    if (event.isPrimary) hand.onmove(placeOf(event))
  }
  const up = (event: PointerEvent) => {
    if (event.button === 0 && event.isPrimary) take(hand.onup(placeOf(event)))
  }
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    hand.onescape()
    stop()
  }
  canvas.addEventListener('pointerdown', down, options)
  canvas.addEventListener('pointermove', move, options)
  canvas.addEventListener('pointerup', up, options)
  window.addEventListener('keydown', key, options)
  map.getCanvas().focus({ preventScroll: true })
  return stop
}

/** Where on Earth a pointer is. */
export function placeAt(map: MapLibreMap, event: PointerEvent): Position {
  const { left, top } = map.getContainer().getBoundingClientRect()
  const { lng, lat } = map.unproject([event.clientX - left, event.clientY - top])
  return [lng, lat]
}

/** Keeps the map still. Returns how to let it go. */
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
    // The click that ends the drawing chooses nothing below it.
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

/** Closer than this a drag is only a click. */
const near = 10

/** Lets somebody drag a rectangle on a map until it is done or given up. Returns how to stop it. */
export function drawArea(map: MapLibreMap, drawing: Drawing): () => void {
  let start: Position | undefined
  return startDrawing(map, {
    ondown: (place) => {
      start = place
    },
    onmove: (place) => {
      if (start !== undefined) drawing.onpreview(boxBetween(start, place))
    },
    onup: (place) => {
      const from = start
      start = undefined
      if (from === undefined) return 'goes on'
      if (pixelsBetween(map, from, place) < near) {
        drawing.onpreview(undefined)
        return 'goes on'
      }
      drawing.ondone(boxBetween(from, place))
      return 'ends'
    },
    onescape: drawing.oncancel,
  })
}

function pixelsBetween(map: MapLibreMap, a: Position, b: Position): number {
  const [from, to] = [map.project([...a]), map.project([...b])]
  return Math.hypot(from.x - to.x, from.y - to.y)
}

/** An area is a wash of the accent with a firm edge; what is still drawn is dashed. */
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

/** What of an area is drawn. */
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
