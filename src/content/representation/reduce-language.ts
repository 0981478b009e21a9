/** Member names that are language codes in records (reference content.md 3.3). */
export const languages = ['de', 'it', 'en', 'nl', 'cs', 'pl', 'fr', 'ru', 'ld'] as const

const codes = new Set<string>(languages)

/**
 * Leaves out, at every depth, the members named by another language than the wanted one. The objects
 * around them stay, so a text that lacks the language is an empty object and no error.
 */
export function reduceLanguage(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((item) => reduceLanguage(item, language))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name === language || !codes.has(name))
      .map(([name, member]) => [name, reduceLanguage(member, language)]),
  )
}
