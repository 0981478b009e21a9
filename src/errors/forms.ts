/** Sentences about texts, by the pattern that they do not fit. */
const sentences = new Map<string, string>()

/**
 * The pattern of a schema, with what to say of a text that does not fit: nobody reads a regular expression.
 * @param fault such as `is no day; write it like 2026-11-20`
 */
export function form(pattern: string, fault: string): { readonly pattern: string } {
  sentences.set(pattern, fault)
  return { pattern }
}

export const dayForm = form(String.raw`^\d{4}-\d{2}-\d{2}$`, 'is no day; write it like 2026-11-20')

/** What is wrong with a text that does not fit a pattern. */
export function sentenceOf(pattern: string): string {
  return sentences.get(pattern) ?? `does not fit the pattern ${pattern}`
}
