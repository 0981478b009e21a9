import { pan, zoom } from '../range/range.ts'
import type { Window } from '../range/range.ts'

export type Gestures = {
  readonly window: () => Window
  /** The window while it is being moved. */
  readonly onmove: (window: Window) => void
  /** The window that somebody has come to rest at. */
  readonly onrest: (window: Window) => void
  /** Whether the wheel alone zooms; else it scrolls the page, and zooms with Ctrl. */
  readonly takesWheel: () => boolean
}

const rest = 350

/** Moving and zooming the window by wheel, by touch, and by dragging with Shift. */
export function addGestures(over: HTMLElement, gestures: Gestures): () => void {
  const stop = new AbortController()
  const options = { signal: stop.signal }
  addWheel(over, gestures, options)
  addPointers(over, gestures, options)
  return () => {
    stop.abort()
  }
}

type Options = { readonly signal: AbortSignal }

function addWheel(over: HTMLElement, gestures: Gestures, { signal }: Options): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onwheel = (event: WheelEvent) => {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey
    if (!isSideways && !event.ctrlKey && !event.metaKey && !gestures.takesWheel()) return
    event.preventDefault()
    const { left, width } = over.getBoundingClientRect()
    const before = gestures.window()
    const at = before.from + ((event.clientX - left) / width) * (before.to - before.from)
    const next = isSideways
      ? pan(before, (event.deltaX === 0 ? event.deltaY : event.deltaX) / width)
      : zoom(before, Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 200), at)
    gestures.onmove(next)
    clearTimeout(timer)
    timer = setTimeout(() => {
      gestures.onrest(next)
    }, rest)
  }
  over.addEventListener('wheel', onwheel, { passive: false, signal })
}

type Pointer = { readonly from: number; readonly at: number }

/** One finger moves, two zoom: what lay under each of them stays there. */
function addPointers(over: HTMLElement, gestures: Gestures, options: Options): void {
  const pointers = new Map<number, Pointer>()
  let start = gestures.window()
  let latest: Window | undefined
  const begin = () => {
    start = gestures.window()
    for (const [id, { at }] of pointers) pointers.set(id, { from: at, at })
  }
  const end = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return
    if (pointers.size > 0) begin()
    else if (latest !== undefined) {
      gestures.onrest(latest)
      latest = undefined
    }
  }
  over.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType !== 'touch' && !event.shiftKey) return
      over.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, { from: event.clientX, at: event.clientX })
      begin()
    },
    options,
  )
  over.addEventListener(
    'pointermove',
    (event) => {
      const pointer = pointers.get(event.pointerId)
      if (pointer === undefined) return
      pointers.set(event.pointerId, { from: pointer.from, at: event.clientX })
      latest = follow(start, [...pointers.values()], over.getBoundingClientRect())
      gestures.onmove(latest)
    },
    options,
  )
  over.addEventListener('pointerup', end, options)
  over.addEventListener('pointercancel', end, options)
}

/** The window in which the fingers lie on the same moments as when they came down. */
export function follow(
  start: Window,
  pointers: readonly Pointer[],
  { left, width }: { readonly left: number; readonly width: number },
): Window {
  const [first, second] = pointers
  if (first === undefined) return start
  if (second === undefined) return pan(start, (first.from - first.at) / width)
  const length = start.to - start.from
  const [before, now] = [second.from - first.from, second.at - first.at]
  const factor = Math.abs(before) / Math.max(8, Math.abs(now))
  const held = start.from + ((first.from - left) / width) * length
  const zoomed = zoom(start, factor, held)
  return pan(zoomed, (first.from - first.at) / width)
}

/** What a key does in the chart: move the cursor, or the window. */
type Stroke =
  | { readonly kind: 'cursor'; readonly index: number | undefined }
  | { readonly kind: 'window'; readonly window: Window }

/** As keyboard events have it. */
type Key = { readonly key: string; readonly shiftKey: boolean }

type Place = {
  /** How many values there are, and at which of them the cursor is. */
  readonly count: number
  readonly index: number | undefined
  readonly at: number | undefined
  readonly window: Window
}

/** What a key means where the cursor is; undefined if nothing. */
export function strokeOf({ key, shiftKey }: Key, place: Place): Stroke | undefined {
  const { window, at } = place
  const middle = (window.from + window.to) / 2
  switch (key) {
    case 'ArrowLeft':
      return shiftKey ? { kind: 'window', window: pan(window, -0.25) } : step(place, -1)
    case 'ArrowRight':
      return shiftKey ? { kind: 'window', window: pan(window, 0.25) } : step(place, 1)
    case 'PageUp':
      return step(place, -10)
    case 'PageDown':
      return step(place, 10)
    case 'Home':
      return step(place, Number.NEGATIVE_INFINITY)
    case 'End':
      return step(place, Number.POSITIVE_INFINITY)
    case '+':
    case '=':
      return { kind: 'window', window: zoom(window, 0.5, at ?? middle) }
    case '-':
    case '_':
      return { kind: 'window', window: zoom(window, 2, at ?? middle) }
    case 'Escape':
      return { kind: 'cursor', index: undefined }
    default:
      return undefined
  }
}

/** The first step of all goes to the newest value, or with a key to the left end to the oldest. */
function step({ count, index }: Place, by: number): Stroke {
  if (count === 0) return { kind: 'cursor', index: undefined }
  const start = index ?? (Number.isFinite(by) ? count - 1 - by : 0)
  return { kind: 'cursor', index: Math.max(0, Math.min(count - 1, start + by)) }
}
