import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Area, Position } from '../../dataset/query/index.ts'
import { boxBetween } from './area-shape.ts'
import type { Box } from './area-shape.ts'
import { startDrawing } from './start-drawing.ts'

export type Drawing = {
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
