/**
 * Escapes a text for the content or a quoted attribute of HTML or XML. Control characters, which
 * these do not allow, become spaces.
 */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll(/[&<>"']/g, (character) => references[character] ?? character)
}

const references: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

/**
 * Returns JSON as the content of a script element. Nothing in it ends the element or starts a
 * comment, and it contains no line terminator (HTML, "Restrictions for contents of script
 * elements").
 */
export function toScriptData(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
