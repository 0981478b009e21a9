/** A text as a text or a quoted attribute of HTML or XML, which has no control characters. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll(/[&<>"']/g, (character) => references[character] ?? character)
}

const references: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

/**
 * JSON as the text of a script element: nothing in it ends the element or begins a comment, and no line
 * of a script ends in it (HTML, "Restrictions for contents of script elements").
 */
export function toScriptData(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
