/**
 * Reports how far a pressed element has been dragged to the right, in pixels, until it is released.
 */
export function dragAlong(event: PointerEvent, onmove: (distance: number) => void): void {
  const handle = event.currentTarget
  if (!(handle instanceof HTMLElement)) return
  handle.setPointerCapture(event.pointerId)
  const from = event.clientX
  const stop = new AbortController()
  const { signal } = stop
  const move = (moved: PointerEvent) => {
    onmove(moved.clientX - from)
  }
  const end = () => {
    stop.abort()
  }
  handle.addEventListener('pointermove', move, { signal })
  handle.addEventListener('lostpointercapture', end, { signal })
}
