import { pan, zoom } from '../range/range.ts'
import type { Window } from '../range/range.ts'

/** What a key does in the chart: move the cursor, or the window. */
export type Stroke =
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
