import type { Language } from './choose-language.ts'
import { language } from './language.svelte.ts'

/**
 * The messages of a view in the language that the page speaks: `const words = inLanguage({ de, it, en })`,
 * then `words().title` in components. English says which messages there are; a missing one in another
 * language does not compile.
 */
export function inLanguage<Messages>(all: Readonly<Record<Language, Messages>>): () => Messages {
  return () => all[language.current]
}
