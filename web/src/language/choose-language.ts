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

/** The text in a language, or else in another that it has. */
export function textIn(
  texts: Readonly<Partial<Record<string, string>>>,
  language: string,
): string | undefined {
  return texts[language] ?? texts['en'] ?? texts['de'] ?? Object.values(texts)[0]
}
