/** What a person chose: light, dark, or what the system says. */
export const themes = ['auto', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const kept = 'hub.theme'

let chosen = $state<Theme>(read())

export const theme = {
  get chosen(): Theme {
    return chosen
  },
}

/** Shows the page in another light from now on. */
export function chooseTheme(next: Theme): void {
  chosen = next
  applyTheme()
  try {
    localStorage.setItem(kept, next)
  } catch {
    // Without storage the choice lasts as long as the page is open.
  }
}

/** Writes the choice where the style sheets read it. */
export function applyTheme(): void {
  if (chosen === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}

function read(): Theme {
  try {
    const found = localStorage.getItem(kept)
    return themes.find((one) => one === found) ?? 'auto'
  } catch {
    return 'auto'
  }
}
