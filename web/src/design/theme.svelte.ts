import { keep, readKept } from '../address/kept.ts'

/** Colour schemes that the user can choose; `auto` follows the system. */
export const themes = ['auto', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const kept = 'hub.theme'

const before = readKept(kept)
let chosen = $state<Theme>(themes.find((one) => one === before) ?? 'auto')

export const theme = {
  get chosen(): Theme {
    return chosen
  },
}

/** Changes the colour scheme and stores the choice. */
export function chooseTheme(next: Theme): void {
  chosen = next
  applyTheme()
  keep(kept, next)
}

/** Writes the choice to the attribute that the style sheets use. */
export function applyTheme(): void {
  if (chosen === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}
