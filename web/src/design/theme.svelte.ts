import { keep, readKept } from '../address/kept.ts'

/** What a person chose: light, dark, or what the system says. */
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

/** Shows the page in another light from now on. */
export function chooseTheme(next: Theme): void {
  chosen = next
  applyTheme()
  keep(kept, next)
}

/** Writes the choice where the style sheets read it. */
export function applyTheme(): void {
  if (chosen === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}
