/** How a tag is called, in the language or in one that there is. */
export function titleOfTag(
  { id, title }: { readonly id: string; readonly title: Readonly<Partial<Record<string, string>>> },
  language: string,
): string {
  return title[language] ?? title['en'] ?? title['de'] ?? id
}

/** How a language is called in another: `de` in English is German. */
export function nameOfLanguage(id: string, language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(id) ?? id
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  } catch {
    // What is no language tag is shown as it is.
    return id
  }
}
