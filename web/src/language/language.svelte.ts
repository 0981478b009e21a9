import { address, change } from '../address/index.ts'
import { chooseLanguage, isLanguage } from './choose-language.ts'
import type { Language } from './choose-language.ts'

const kept = 'hub.language'

let stored = $state(read())

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
  try {
    localStorage.setItem(kept, next)
  } catch {
    // Without storage the choice stands in the address alone.
  }
  change((search) => {
    search.set('lang', next)
  })
}

function read(): string | undefined {
  try {
    const found = localStorage.getItem(kept)
    return found !== null && isLanguage(found) ? found : undefined
  } catch {
    return undefined
  }
}
