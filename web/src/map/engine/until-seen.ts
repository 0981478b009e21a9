/**
 * Resolves when an element comes into sight, or when `signal` is aborted: what draws maps is larger than the rest
 * of the page, so it is loaded then.
 */
export function untilSeen(element: HTMLElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      { rootMargin: '300px' },
    )
    observer.observe(element)
    signal.addEventListener('abort', () => {
      observer.disconnect()
      resolve()
    })
  })
}
