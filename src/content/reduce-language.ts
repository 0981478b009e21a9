/** Field names that are language codes in records (reference content.md 3.3). */
export const languages = ['de', 'it', 'en', 'nl', 'cs', 'pl', 'fr', 'ru', 'ld'] as const

/**
 * Matches a language code in quotes and the colon after it. This is always a field name: a quote
 * inside a text has a backslash before it.
 */
const fieldOfLanguage = new RegExp(`"(${languages.join('|')})"\\s*:\\s*`, 'g')

/**
 * Removes, at every depth, the fields whose name is a language other than the requested one. The
 * objects around them stay, so a text without the requested language becomes an empty object and is
 * no error.
 *
 * Works on JSON text: what remains is copied unchanged, and nothing is parsed or printed.
 * @param json a JSON text
 */
export function reduceLanguage(json: string, language: string): string {
  const pattern = fieldOfLanguage
  pattern.lastIndex = 0
  let kept = ''
  let copied = 0
  for (let found = pattern.exec(json); found !== null; found = pattern.exec(json)) {
    if (found[1] === language || json[found.index - 1] === '\\') continue
    kept += json.slice(copied, found.index)
    copied = endOfValue(json, pattern.lastIndex)
    // One comma is removed, too: the one after the field or, for the last field of its object, the
    // one before.
    if (json[copied] === ',') copied = afterBlanks(json, copied + 1)
    else kept = withoutComma(kept)
    pattern.lastIndex = copied
  }
  return copied === 0 ? json : kept + json.slice(copied)
}

/** Removes a comma at the end. A regular expression would try every earlier comma first. */
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

const quote = 0x22
const backslash = 0x5c
const openingBrace = 0x7b
const closingBrace = 0x7d
const openingBracket = 0x5b
const closingBracket = 0x5d

/**
 * Returns the position after the last character of the JSON value that starts at `start`.
 * @param json a whole JSON text; `start` is the first character of one of its values
 */
function endOfValue(json: string, start: number): number {
  switch (json.charCodeAt(start)) {
    case quote:
      return endOfText(json, start)
    case openingBrace:
    case openingBracket:
      return endOfNested(json, start)
    default:
      return endOfPlain(json, start)
  }
}

/** Returns the end of a text. A quote ends it unless an odd number of backslashes precedes it. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end + 1
  }
  return json.length
}

/**
 * Returns the end of an object or array: where all brackets that were opened outside of texts are
 * closed.
 */
function endOfNested(json: string, start: number): number {
  let depth = 0
  for (let position = start; position < json.length; position++) {
    const character = json.charCodeAt(position)
    if (character === quote) position = endOfText(json, position) - 1
    else if (character === openingBrace || character === openingBracket) depth += 1
    else if (character === closingBrace || character === closingBracket) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  return json.length
}

/**
 * Returns the end of a number, true, false or null: before the first character that cannot belong
 * to it.
 */
function endOfPlain(json: string, start: number): number {
  const end = json.slice(start, start + maxNumberLength).search(/[,}\]\s]/)
  return end === -1 ? json.length : start + end
}

/**
 * Upper bound for the length of a number. PostgreSQL prints numbers with up to 131,072 digits
 * before the decimal point and 16,383 after it.
 */
const maxNumberLength = 150_000
