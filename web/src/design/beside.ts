import type { Attachment } from 'svelte/attachments'

const gap = 6
const margin = 12

/**
 * Places a popover below what it belongs to, or above where there is more room, and inside the window. Style sheets
 * may use `--room`, the height that is free, and `--anchor-width`.
 */
export function beside(
  anchor: () => Element | undefined,
  align: 'start' | 'end' = 'start',
): Attachment<HTMLElement> {
  return (box) => {
    const place = () => {
      const at = anchor()?.getBoundingClientRect()
      if (at === undefined || !box.matches(':popover-open')) return
      const { clientWidth, clientHeight } = document.documentElement
      const below = clientHeight - at.bottom - gap - margin
      const above = at.top - gap - margin
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
    // Before the frame in which it shows for the first time, and whenever something moves or grows.
    const soon = () => requestAnimationFrame(place)
    const growth = new ResizeObserver(soon)
    growth.observe(box)
    box.addEventListener('beforetoggle', soon)
    addEventListener('resize', place)
    addEventListener('scroll', place, { capture: true, passive: true })
    return () => {
      growth.disconnect()
      box.removeEventListener('beforetoggle', soon)
      removeEventListener('resize', place)
      removeEventListener('scroll', place, { capture: true })
    }
  }
}
