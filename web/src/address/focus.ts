/**
 * After a step to another view: whoever reads by ear or keyboard begins at its heading, as soon as it is
 * there, since views are loaded when they are needed. Who has moved on meanwhile stays where he is.
 * @returns what ends the wait
 */
export function focusHeading(): () => void {
  const main = document.querySelector('main')
  if (main === null) return () => undefined
  const from = document.activeElement
  const attempt = () => {
    const heading = main.querySelector('h1')
    if (heading === null) return
    observer.disconnect()
    const present = document.activeElement
    if (present !== null && present !== document.body && present !== from) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(attempt)
  observer.observe(main, { childList: true, subtree: true })
  attempt()
  return () => {
    observer.disconnect()
  }
}
