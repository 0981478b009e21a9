import type { Language } from './choose-language.ts'

type Forms = { readonly one: string; readonly other: string }

/** Numbers as a language writes them; British dates and numbers for English. */
export const localeOf: Readonly<Record<Language, string>> = { de: 'de-IT', it: 'it', en: 'en-GB' }

/**
 * What messages with numbers are made of: `plural(3, { one: '# record', other: '# records' })` is
 * “3 records”; `#` is the number as the language writes it.
 */
export function wordsOf(language: Language) {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(localeOf[language])
  const days = new Intl.DateTimeFormat(localeOf[language], { dateStyle: 'medium', timeZone: 'UTC' })
  return {
    number: (value: number) => numbers.format(value),
    /** A day as `2026-11-22` is written. */
    date: (day: string) => days.format(new Date(day)),
    plural: (value: number, { one, other }: Forms) =>
      (rules.select(value) === 'one' ? one : other).replace('#', numbers.format(value)),
  }
}
