const quote = 0x22
const backslash = 0x5c
const openingBrace = 0x7b
const closingBrace = 0x7d
const openingBracket = 0x5b
const closingBracket = 0x5d

/**
 * Where the JSON value that begins at `start` ends: the position after its last character.
 * @param json a whole JSON text; `start` is the first character of one of its values
 */
export function endOfValue(json: string, start: number): number {
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

/** A quote ends the text unless an odd number of backslashes stands before it. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end + 1
  }
  return json.length
}

/** Objects and arrays end where as many are closed as were opened, not counting inside texts. */
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

/** Numbers, true, false and null end before what cannot belong to them. */
function endOfPlain(json: string, start: number): number {
  const end = json.slice(start, start + longestNumber).search(/[,}\]\s]/)
  return end === -1 ? json.length : start + end
}

/** PostgreSQL prints numbers of up to 131,072 digits before the point and 16,383 behind it. */
const longestNumber = 150_000
