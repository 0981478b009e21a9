/** What a language is called in another one: `it`, `de` is “Italienisch”. */
export function languageName(code: string, inLanguage: string): string {
  const names = new Intl.DisplayNames([inLanguage], { type: 'language', fallback: 'code' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
