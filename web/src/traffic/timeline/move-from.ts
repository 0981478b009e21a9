import type { Band, Bar } from './lay-out.ts'

/** The event that a key leads to from another: left and right in time, up and down to the next kind. */
export function moveFrom(bands: readonly Band[], from: string, key: string): string | undefined {
  const row = bands.findIndex(({ bars }) => bars.some(({ event }) => event.id === from))
  const bars = inTime(bands[row]?.bars ?? [])
  const place = bars.findIndex(({ event }) => event.id === from)
  const here = bars[place]
  if (here === undefined) return undefined
  switch (key) {
    case 'ArrowRight':
      return bars[place + 1]?.event.id ?? inTime(bands[row + 1]?.bars ?? [])[0]?.event.id ?? from
    case 'ArrowLeft':
      return (
        bars[place - 1]?.event.id ?? inTime(bands[row - 1]?.bars ?? []).at(-1)?.event.id ?? from
      )
    case 'ArrowDown':
      return nearest(bands[row + 1]?.bars ?? [], here)?.event.id ?? from
    case 'ArrowUp':
      return nearest(bands[row - 1]?.bars ?? [], here)?.event.id ?? from
    case 'Home':
      return inTime(bands[0]?.bars ?? [])[0]?.event.id
    case 'End':
      return inTime(bands.at(-1)?.bars ?? []).at(-1)?.event.id
    default:
      return undefined
  }
}

function inTime(bars: readonly Bar[]): readonly Bar[] {
  return bars.toSorted((a, b) => a.x - b.x || a.lane - b.lane)
}

function nearest(bars: readonly Bar[], { x }: Bar): Bar | undefined {
  return bars.toSorted((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0]
}
