import type { Language } from './choose-language.ts'

/**
 * Caches `new Intl.…(locale, options)`. Such objects are slow to create, a table needs them
 * thousands of times, and there are only a few different ones.
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

/** Locale of each language; English uses British dates and numbers. */
export const localeOf: Readonly<Record<Language, string>> = { de: 'de-IT', it: 'it', en: 'en-GB' }

/** Formats a count in the grammar of a language; `#` stands for the formatted number. */
export function pluralIn(language: Language, value: number, { one, other }: Forms): string {
  const written = numberFormat(localeOf[language], {}).format(value)
  const isOne = pluralRules(language, {}).select(value) === 'one'
  return (isOne ? one : other).replace('#', written)
}

const elisions = { il: 'l’', dal: 'dall’', al: 'all’' } as const

/** Puts an Italian article before a number: `il 7%`, but `l’8%` and `dall’11 novembre`. */
export function withArticle(article: keyof typeof elisions, written: string): string {
  return /^(8|11(?!\d))/.test(written) ? `${elisions[article]}${written}` : `${article} ${written}`
}

/**
 * Returns the name of a language in another one: `it` in `de` is “Italienisch”. An unknown code is
 * returned unchanged.
 */
export function languageName(code: string, inLanguage: string): string {
  const names = displayNames(inLanguage, { type: 'language', fallback: 'code' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
