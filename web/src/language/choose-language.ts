/** Languages of the page, in the order in which they are offered. */
export const languages = ['de', 'it', 'en'] as const

export type Language = (typeof languages)[number]

function isLanguage(text: string): text is Language {
  return languages.some((language) => language === text)
}

/**
 * Returns the first supported language of a list of preferences, ignoring regions (`de-AT` is
 * `de`), or else English.
 */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): Language {
  const wanted = wishes.map((wish) => wish?.toLowerCase().split('-')[0] ?? '')
  return wanted.find((wish) => isLanguage(wish)) ?? 'en'
}

/** Returns the text in a language, or else in another one that exists. */
export function textIn(
  texts: Readonly<Partial<Record<string, string>>>,
  language: string,
): string | undefined {
  return texts[language] ?? texts['en'] ?? texts['de'] ?? Object.values(texts)[0]
}
