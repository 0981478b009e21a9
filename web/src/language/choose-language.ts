import { displayNames } from './intl.ts'

/** The languages of the page, in the order in which they are offered. */
export const languages = ['de', 'it', 'en'] as const

export type Language = (typeof languages)[number]

function isLanguage(text: string): text is Language {
  return languages.some((language) => language === text)
}

/** The first wish that can be met, regions aside (`de-AT` is `de`); else English. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): Language {
  const wanted = wishes.map((wish) => wish?.toLowerCase().split('-')[0] ?? '')
  return wanted.find((wish) => isLanguage(wish)) ?? 'en'
}

/** What a language is called in another one: `it`, `de` is “Italienisch”. Anything that is not a language is shown as it is. */
export function languageName(code: string, inLanguage: string): string {
  const names = displayNames(inLanguage, { type: 'language', fallback: 'code' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
