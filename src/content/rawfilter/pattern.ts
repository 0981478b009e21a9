import { LanguageError, toRegex } from '../../lang/index.ts'

/** A pattern of `likein`: a piece of text, or a regular expression (decision D35). */
export type Pattern =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly source: string }

/**
 * What a pattern means. Between slashes it is a regular expression, given as PostgreSQL reads it.
 * @throws LanguageError for an expression that is malformed or could take long
 */
export function toPattern(written: string): Pattern {
  if (!isRegex(written)) return { kind: 'text', text: written }
  return { kind: 'regex', source: toRegex(written.slice(1, -1)) }
}

/** Whether the pattern stands between slashes. */
export function isRegex(written: string): boolean {
  return /^\/.+\/$/su.test(written)
}

/** @throws LanguageError with the position in the filter, for a pattern whose text begins there */
export function assertPattern(written: string, position: number): void {
  try {
    toPattern(written)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, expected, hint } = error
    // Behind the quote and the slash.
    const at = { position: position + 2 + error.position, expected }
    const text = `The regular expression cannot be read. ${message.replace(/ at position \d+/, '')}`
    throw new LanguageError(text, hint === undefined ? at : { ...at, hint })
  }
}
