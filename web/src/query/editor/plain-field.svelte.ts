const kept = 'hub.plainField'

let chosen = $state(read())

/** Whether somebody would rather write expressions in a plain field. The browser remembers it. */
export const plainField = {
  get chosen(): boolean {
    return chosen
  },
  set chosen(next: boolean) {
    chosen = next
    try {
      localStorage.setItem(kept, String(next))
    } catch {
      // Without storage the choice lasts as long as the page is open.
    }
  },
}

function read(): boolean {
  try {
    return localStorage.getItem(kept) === 'true'
  } catch {
    return false
  }
}
