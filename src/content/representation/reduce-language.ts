import { endOfValue } from './end-of-value.ts'

/** Member names that are language codes in records (reference content.md 3.3). */
export const languages = ['de', 'it', 'en', 'nl', 'cs', 'pl', 'fr', 'ru', 'ld'] as const

/**
 * A language code between quotes and a colon after it: a member's name, and never the inside of a text,
 * where a quote has a backslash before it.
 */
const memberOfLanguage = new RegExp(`"(${languages.join('|')})"\\s*:\\s*`, 'g')

/**
 * Leaves out, at every depth, the members named by another language than the wanted one. The objects
 * around them stay, so a text that lacks the language is an empty object and no error.
 *
 * Works on JSON text: what is kept is passed on as it stands, and nothing is parsed or printed.
 * @param json a JSON text
 */
export function reduceLanguage(json: string, language: string): string {
  const pattern = memberOfLanguage
  pattern.lastIndex = 0
  let kept = ''
  let copied = 0
  for (let found = pattern.exec(json); found !== null; found = pattern.exec(json)) {
    if (found[1] === language || json[found.index - 1] === '\\') continue
    kept += json.slice(copied, found.index)
    copied = endOfValue(json, pattern.lastIndex)
    // The comma goes with the member: the one behind it or, for the last of its object, the one before.
    if (json[copied] === ',') copied = afterBlanks(json, copied + 1)
    else kept = withoutComma(kept)
    pattern.lastIndex = copied
  }
  return copied === 0 ? json : kept + json.slice(copied)
}

/** The text without the comma at its end. A pattern would try every comma before it first. */
function withoutComma(text: string): string {
  let end = text.length
  while (/\s/.test(text[end - 1] ?? '')) end -= 1
  return text[end - 1] === ',' ? text.slice(0, end - 1) : text
}

function afterBlanks(json: string, start: number): number {
  let position = start
  while (/\s/.test(json[position] ?? '')) position += 1
  return position
}
