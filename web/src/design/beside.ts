import type { Attachment } from 'svelte/attachments'

const gap = 6
const margin = 12

/**
 * Attaches a popover to its anchor: below it, or above if there is more room, and within the part
 * of the window that a phone's keyboard leaves visible. Style sheets may use `--room`, the free
 * height, and `--anchor-width`.
 */
export function beside(
  anchor: () => Element | undefined,
  align: 'start' | 'end' = 'start',
): Attachment<HTMLElement> {
  return (box) => {
    const place = () => {
      const at = box.matches(':popover-open') ? anchor()?.getBoundingClientRect() : undefined
      if (at === undefined) return
      const { clientWidth, clientHeight } = document.documentElement
      const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: clientHeight }
      const below = offsetTop + height - at.bottom - gap - margin
      const above = at.top - offsetTop - gap - margin
      const isBelow = below >= above || below >= box.scrollHeight
      set('--anchor-width', at.width)
      set('--room', isBelow ? below : above)
      const left = align === 'start' ? at.left : at.right - box.offsetWidth
      set('left', Math.max(margin, Math.min(left, clientWidth - margin - box.offsetWidth)))
      box.style.setProperty('top', isBelow ? `${String(at.bottom + gap)}px` : 'auto')
      box.style.setProperty('bottom', isBelow ? 'auto' : `${String(clientHeight - at.top + gap)}px`)
    }
    const set = (name: string, pixels: number) => {
      box.style.setProperty(name, `${String(pixels)}px`)
    }
    // Runs before the first frame in which it is visible, and whenever something moves or grows.
    const soon = () => requestAnimationFrame(place)
    const growth = new ResizeObserver(soon)
    growth.observe(box)
    const end = new AbortController()
    const { signal } = end
    box.addEventListener('beforetoggle', soon, { signal })
    for (const moved of [globalThis, visualViewport]) {
      moved?.addEventListener('resize', place, { signal })
      moved?.addEventListener('scroll', place, { capture: true, passive: true, signal })
    }
    return () => {
      growth.disconnect()
      end.abort()
    }
  }
}
