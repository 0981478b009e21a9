import { pan, zoom } from '../range/range.ts'
import type { Window } from '../range/range.ts'

export type Gestures = {
  readonly window: () => Window
  /** Called with the window while it is being moved. */
  readonly onmove: (window: Window) => void
  /** Called with the final window when a gesture ends. */
  readonly onrest: (window: Window) => void
  /** Whether the wheel alone zooms. Otherwise it scrolls the page and zooms only with Ctrl. */
  readonly takesWheel: () => boolean
}

const rest = 350

/**
 * Adds moving and zooming of the window by wheel, by touch, and by dragging with Shift. Returns a
 * function that removes them.
 */
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

/** One finger moves the window, two zoom it. The time under each finger stays there. */
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

/** Returns the window in which the fingers are on the same times as when they touched down. */
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

/** Effect of a key in the chart: moves the cursor or the window. */
type Stroke =
  | { readonly kind: 'cursor'; readonly index: number | undefined }
  | { readonly kind: 'window'; readonly window: Window }

/** The part of a keyboard event that matters. */
type Key = { readonly key: string; readonly shiftKey: boolean }

type Place = {
  /** Number of values; `index` is that of the value at the cursor. */
  readonly count: number
  readonly index: number | undefined
  readonly at: number | undefined
  readonly window: Window
}

/** Returns the effect of a key; undefined if it has none. */
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

/**
 * Moves the cursor. Without one, the first step goes to the newest value, or to the oldest with
 * Home.
 */
function step({ count, index }: Place, by: number): Stroke {
  if (count === 0) return { kind: 'cursor', index: undefined }
  const start = index ?? (Number.isFinite(by) ? count - 1 - by : 0)
  return { kind: 'cursor', index: Math.max(0, Math.min(count - 1, start + by)) }
}
