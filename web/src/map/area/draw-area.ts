import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Area, Position } from '../../dataset/query/index.ts'
import { boxBetween, metresBetween } from './area-shape.ts'
import { startDrawing } from './start-drawing.ts'

export type AreaKind = Area['kind']

export type Drawing = {
  /** What there is so far, also of corners that are not an area yet. */
  readonly onpreview: (corners: readonly Position[], area: Area | undefined) => void
  readonly ondone: (area: Area) => void
  readonly oncancel: () => void
}

/** Closer than this a click means the first corner, and a drag is only a click. */
const near = 10

/** Lets somebody draw an area on a map until it is done or given up. Returns how to stop it. */
export function drawArea(map: MapLibreMap, kind: AreaKind, drawing: Drawing): () => void {
  return kind === 'polygon' ? drawPolygon(map, drawing) : dragArea(map, kind, drawing)
}

function dragArea(map: MapLibreMap, kind: 'box' | 'circle', drawing: Drawing): () => void {
  let start: Position | undefined
  const between = (from: Position, to: Position): Area =>
    kind === 'box'
      ? boxBetween(from, to)
      : { kind, centre: from, metres: Math.max(1, Math.round(metresBetween(from, to))) }
  return startDrawing(map, {
    ondown: (place) => {
      start = place
    },
    onmove: (place) => {
      if (start !== undefined) drawing.onpreview([], between(start, place))
    },
    onup: (place) => {
      const from = start
      start = undefined
      if (from === undefined) return 'goes on'
      if (pixelsBetween(map, from, place) < near) {
        drawing.onpreview([], undefined)
        return 'goes on'
      }
      drawing.ondone(between(from, place))
      return 'ends'
    },
    onkey: (key) => {
      if (key !== 'Escape') return 'goes on'
      drawing.oncancel()
      return 'ends'
    },
  })
}

function drawPolygon(map: MapLibreMap, drawing: Drawing): () => void {
  let corners: readonly Position[] = []
  const show = (next?: Position) => {
    const all = next === undefined ? corners : [...corners, next]
    drawing.onpreview(all, all.length < 3 ? undefined : { kind: 'polygon', corners: all })
  }
  const close = () => {
    if (corners.length < 3) return 'goes on'
    drawing.ondone({ kind: 'polygon', corners })
    return 'ends'
  }
  return startDrawing(map, {
    ondown: () => undefined,
    onmove: (place) => {
      show(place)
    },
    onup: (place) => {
      const [first] = corners
      const last = corners.at(-1)
      if (first !== undefined && pixelsBetween(map, first, place) < near) return close()
      // The second click of a double click.
      if (last !== undefined && pixelsBetween(map, last, place) < near / 2) return close()
      corners = [...corners, place]
      show()
      return 'goes on'
    },
    onkey: (key) => {
      if (key === 'Enter') return close()
      if (key === 'Backspace') {
        corners = corners.slice(0, -1)
        show()
      }
      if (key !== 'Escape') return 'goes on'
      drawing.oncancel()
      return 'ends'
    },
  })
}

function pixelsBetween(map: MapLibreMap, a: Position, b: Position): number {
  const [from, to] = [map.project([...a]), map.project([...b])]
  return Math.hypot(from.x - to.x, from.y - to.y)
}
