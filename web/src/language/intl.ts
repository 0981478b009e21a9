/**
 * What writes and compares texts of a language takes long to make, a table asks for it thousands of times,
 * and there are few: each is made once.
 */
function once<Options extends object, Made>(make: (locale: string, options: Options) => Made) {
  const made = new Map<string, Made>()
  return (locale: string, options: Options): Made => {
    const key = JSON.stringify([locale, options])
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(locale, options)
    made.set(key, fresh)
    return fresh
  }
}

/** As `new Intl.DateTimeFormat(…)`. */
export const dateTimeFormat = once<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (locale, options) => new Intl.DateTimeFormat(locale, options),
)

/** As `new Intl.NumberFormat(…)`. */
export const numberFormat = once<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (locale, options) => new Intl.NumberFormat(locale, options),
)

/** As `new Intl.PluralRules(…)`. */
export const pluralRules = once<Intl.PluralRulesOptions, Intl.PluralRules>(
  (locale, options) => new Intl.PluralRules(locale, options),
)

/** As `new Intl.RelativeTimeFormat(…)`. */
export const relativeTimeFormat = once<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  (locale, options) => new Intl.RelativeTimeFormat(locale, options),
)

/** As `new Intl.Collator(…)`. */
export const collator = once<Intl.CollatorOptions, Intl.Collator>(
  (locale, options) => new Intl.Collator(locale, options),
)

/** As `new Intl.DisplayNames(…)`. */
export const displayNames = once<Intl.DisplayNamesOptions, Intl.DisplayNames>(
  (locale, options) => new Intl.DisplayNames(locale, options),
)
