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
export const pluralRules = once<Intl.PluralRulesOptions, Intl.PluralRules>(Intl.PluralRules)
export const relativeTimeFormat = once<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  Intl.RelativeTimeFormat,
)
export const collator = once<Intl.CollatorOptions, Intl.Collator>(Intl.Collator)
export const displayNames = once<Intl.DisplayNamesOptions, Intl.DisplayNames>(Intl.DisplayNames)
