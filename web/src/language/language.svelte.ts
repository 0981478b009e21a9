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

/**
 * The messages of a view in the language that the page speaks: `const words = inLanguage({ de, it, en })`,
 * then `words().title` in components. English says which messages there are; a missing one in another
 * language does not compile.
 */
export function inLanguage<Messages>(all: Readonly<Record<Language, Messages>>): () => Messages {
  return () => all[language.current]
}
