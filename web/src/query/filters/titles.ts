import { languageName } from '../../language/language-name.ts'

/** How a tag is called, in the language or in one that there is. */
export function titleOfTag(
  { id, title }: { readonly id: string; readonly title: Readonly<Partial<Record<string, string>>> },
  language: string,
): string {
  return title[language] ?? title['en'] ?? title['de'] ?? id
}

/** How a language is called in another: `de` in English is German. */
export function nameOfLanguage(id: string, language: string): string {
  const name = languageName(id, language)
  return name === id ? id : name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
