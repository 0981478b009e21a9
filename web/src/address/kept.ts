/** Returns a choice that the browser stored on an earlier visit, or undefined. */
export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Stores a choice for the next visit. If storage is blocked, it lasts only while the page is open.
 */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Storage is blocked: nothing is stored.
  }
}
