import { displayNames } from './intl.ts'

/** What a language is called in another one: `it`, `de` is “Italienisch”. Anything that is not a language is shown as it is. */
export function languageName(code: string, inLanguage: string): string {
  const names = displayNames(inLanguage, { type: 'language', fallback: 'code' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
