import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Position } from '../../dataset/query/index.ts'

type Step = 'goes on' | 'ends'

type Hand = {
  readonly ondown: (place: Position) => void
  readonly onmove: (place: Position) => void
  readonly onup: (place: Position) => Step
  readonly onescape: () => void
}

/** Gives pointer and keys to who draws, and back to the map when the drawing ends or is stopped. */
export function startDrawing(map: MapLibreMap, hand: Hand): () => void {
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
