import type { Language } from './choose-language.ts'

/**
 * What writes and compares texts of a language takes long to make, a table needs it thousands of times,
 * and there are few: each is made once, as `new Intl.…(locale, options)`.
 */
function once<Options extends object, Made>(
  Format: new (locale: string, options: Options) => Made,
) {
  const made = new Map<string, Made>()
  return (locale: string, options: Options): Made => {
    const key = JSON.stringify([locale, options])
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = new Format(locale, options)
    made.set(key, fresh)
    return fresh
  }
}

export const dateTimeFormat = once<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  Intl.DateTimeFormat,
)
export const numberFormat = once<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat)
const pluralRules = once<Intl.PluralRulesOptions, Intl.PluralRules>(Intl.PluralRules)
export const relativeTimeFormat = once<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  Intl.RelativeTimeFormat,
)
export const collator = once<Intl.CollatorOptions, Intl.Collator>(Intl.Collator)
const displayNames = once<Intl.DisplayNamesOptions, Intl.DisplayNames>(Intl.DisplayNames)

export type Forms = { readonly one: string; readonly other: string }

/** Numbers as a language writes them; British dates and numbers for English. */
export const localeOf: Readonly<Record<Language, string>> = { de: 'de-IT', it: 'it', en: 'en-GB' }

/** A number of things as a language says it: `#` is the number as the language writes it. */
export function pluralIn(language: Language, value: number, { one, other }: Forms): string {
  const written = numberFormat(localeOf[language], {}).format(value)
  const isOne = pluralRules(language, {}).select(value) === 'one'
  return (isOne ? one : other).replace('#', written)
}

const elisions = { il: 'l’', dal: 'dall’', al: 'all’' } as const

/** An Italian article before what is written: `il 7%`, but `l’8%` and `dall’11 novembre`. */
export function withArticle(article: keyof typeof elisions, written: string): string {
  return /^(8|11(?!\d))/.test(written) ? `${elisions[article]}${written}` : `${article} ${written}`
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
