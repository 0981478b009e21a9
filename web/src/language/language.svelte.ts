import { address, change } from '../address/index.ts'
import { keep, readKept } from '../address/kept.ts'
import { chooseLanguage } from './choose-language.ts'
import type { Language } from './choose-language.ts'

const kept = 'hub.language'

let stored = $state(readKept(kept))

const current = $derived(
  chooseLanguage([address.search.get('lang'), stored, ...navigator.languages]),
)

/** The language that the page speaks: of `?lang=`, else the one chosen before, else the browser's. */
export const language = {
  get current(): Language {
    return current
  },
}

/** Speaks another language from now on; the address says so, for whoever it is sent to. */
export function speak(next: Language): void {
  stored = next
  keep(kept, next)
  change((search) => {
    search.set('lang', next)
  })
}
