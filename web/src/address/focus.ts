import { tick } from 'svelte'

const longestWait = 1000

/**
 * After a step to another view: whoever reads by ear or keyboard begins at its heading. It may come
 * a little later, as views are loaded when they are needed.
 */
export async function focusHeading(): Promise<void> {
  const began = performance.now()
  await tick()
  const attempt = () => {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (heading !== null) {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    } else if (performance.now() - began < longestWait) requestAnimationFrame(attempt)
  }
  attempt()
}
