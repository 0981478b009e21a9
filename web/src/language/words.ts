import type { Language } from './choose-language.ts'
import { dateTimeFormat, numberFormat, pluralRules } from './intl.ts'

type Forms = { readonly one: string; readonly other: string }

/** Numbers as a language writes them; British dates and numbers for English. */
export const localeOf: Readonly<Record<Language, string>> = { de: 'de-IT', it: 'it', en: 'en-GB' }

/**
 * What messages with numbers are made of: `plural(3, { one: '# record', other: '# records' })` is
 * “3 records”; `#` is the number as the language writes it.
 */
export function wordsOf(language: Language) {
  const number = (value: number) => numberFormat(localeOf[language], {}).format(value)
  const day = { dateStyle: 'medium', timeZone: 'UTC' } as const
  return {
    number,
    /** A day as `2026-11-22` is written. */
    date: (written: string) => dateTimeFormat(localeOf[language], day).format(new Date(written)),
    plural: (value: number, { one, other }: Forms) =>
      (pluralRules(language, {}).select(value) === 'one' ? one : other).replace('#', number(value)),
  }
}
