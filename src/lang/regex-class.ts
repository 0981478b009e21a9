import type { Cursor } from './cursor.ts'

/** Case is folded character by character, so a long range is a long list. */
const longestRange = 512

/**
 * class = "[" , [ "^" ] , item , { item } , "]" — called behind the bracket.
 * @returns the class as PostgreSQL spells it
 */
export function readClass(cursor: Cursor): string {
  let source = cursor.accept('^') ? '[^' : '['
  const empty = source
  while (!cursor.accept(']')) source += readItem(cursor)
  if (source === empty) throw cursor.fail('a character in the brackets')
  return `${source}]`
}

/** item = "\d" | "\w" | "\s" | character , [ "-" , character ] */
function readItem(cursor: Cursor): string {
  const set = cursor.match(/\\[dws]/y)
  if (set !== undefined) return set
  const first = readCharacter(cursor)
  if (cursor.match(/-(?!\])/y) === undefined) return escape(first)
  const last = readCharacter(cursor)
  const length = (last.codePointAt(0) ?? 0) - (first.codePointAt(0) ?? 0)
  if (length < 0 || length > longestRange) {
    throw cursor.fail(`a range upwards of at most ${longestRange} characters before this`)
  }
  return `${escape(first)}-${escape(last)}`
}

const controls: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\r': '\r' }

function readCharacter(cursor: Cursor): string {
  const control = cursor.match(/\\[tnr]/y)
  if (control !== undefined) return controls[control] ?? ''
  const escaped = cursor.match(/\\[^\p{L}\p{N}\s]/uy)
  const character = escaped?.slice(1) ?? cursor.match(/[^\\[\]]/uy)
  if (character === undefined) throw cursor.fail('a character', '"]"')
  return character
}

function escape(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character
}
