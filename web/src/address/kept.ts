/** What the browser keeps of a choice between visits; undefined where it keeps nothing. */
export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a choice for the next visit; without storage it lasts as long as the page is open. */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Storage is blocked: nothing is kept.
  }
}
