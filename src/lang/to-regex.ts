import { LanguageError, createCursor } from './cursor.ts'
import type { Cursor } from './cursor.ts'

/**
 * Limits on regular expressions of callers. Only what a finite automaton can decide is accepted: no
 * back-references, no look-around. The limits on repetition keep the automaton small, so the time
 * of a match is bounded by the length of the text on every engine, whether statements can be
 * cancelled there or not. RE2 and PostgreSQL interpret this part of the syntax alike.
 */
const regexLimits = { repetitions: 50, size: 400, depth: 10 } as const

/** A part of an expression in PostgreSQL's syntax, and the approximate size of its automaton. */
type Part = { readonly source: string; readonly size: number }

const hint = 'Write \\ before a character to match it literally: \\. \\( \\+'

/**
 * Converts a regular expression to PostgreSQL's syntax. @throws LanguageError with the position in
 * the expression
 */
export function toRegex(written: string): string {
  const cursor = createCursor(written)
  const { source } = readAlternatives(cursor, 1)
  if (!cursor.isAtEnd()) throw withAdvice(cursor.fail('the end', '"|"'))
  return source
}

/** alternatives = sequence , { "|" , sequence } */
function readAlternatives(cursor: Cursor, depth: number): Part {
  if (depth > regexLimits.depth) throw cursor.fail(`at most ${regexLimits.depth} groups in groups`)
  const parts = [readSequence(cursor, depth)]
  while (cursor.accept('|')) parts.push(readSequence(cursor, depth))
  const size = parts.reduce((sum, part) => sum + part.size + 1, 0)
  return { source: parts.map(({ source }) => source).join('|'), size }
}

/** sequence = piece , { piece } */
function readSequence(cursor: Cursor, depth: number): Part {
  let source = ''
  let size = 0
  for (;;) {
    const piece = readPiece(cursor, depth)
    if (piece === undefined) break
    source += piece.source
    size += piece.size
    if (size > regexLimits.size) throw tooLarge(cursor)
  }
  if (source === '') throw withAdvice(cursor.fail('a character', 'a class', 'a group'))
  return { source, size }
}

/** piece = anchor | atom , [ repetition ] */
function readPiece(cursor: Cursor, depth: number): Part | undefined {
  const anchor = cursor.match(/\^|\$|\\[bB]/y)
  if (anchor !== undefined) return { source: anchors[anchor] ?? anchor, size: 1 }
  const atom = readAtom(cursor, depth)
  if (atom === undefined) return undefined
  const repetition = readRepetition(cursor)
  if (repetition === undefined) return atom
  return { source: atom.source + repetition.source, size: atom.size * repetition.times + 1 }
}

/** PostgreSQL's names of word boundaries. */
const anchors: Readonly<Record<string, string>> = { '\\b': '\\y', '\\B': '\\Y' }

/** atom = "." | class | escape | character | "(" , [ "?:" ] , alternatives , ")" */
function readAtom(cursor: Cursor, depth: number): Part | undefined {
  if (cursor.accept('[')) return { source: readClass(cursor), size: 1 }
  if (cursor.accept('(')) {
    cursor.accept('?:')
    const { source, size } = readAlternatives(cursor, depth + 1)
    if (!cursor.accept(')')) throw withAdvice(cursor.fail('")"'))
    return { source: `(?:${source})`, size }
  }
  const escaped = cursor.match(/\\[dDwWsStnr]|\\[^\p{L}\p{N}\s]/uy)
  if (escaped !== undefined) return { source: escaped, size: 1 }
  const plain = cursor.match(/[^\\.[\](){}*+?|^$]/uy)
  if (plain !== undefined) return { source: plain, size: 1 }
  return cursor.accept('.') ? { source: '.', size: 1 } : undefined
}

/** repetition = ( "*" | "+" | "?" | "{" , number , [ "," , [ number ] ] , "}" ) , [ "?" ] */
function readRepetition(
  cursor: Cursor,
): { readonly source: string; readonly times: number } | undefined {
  const simple = cursor.match(/[*+?]/y)
  const counted = simple ?? cursor.match(/\{\d{1,3}(?:,\d{0,3})?\}/y)
  if (counted === undefined) return undefined
  const [least = 1, most = least] = (counted.match(/\d+/g) ?? []).map(Number)
  if (Math.max(least, most) > regexLimits.repetitions || least > most) {
    throw cursor.fail(
      `at most ${regexLimits.repetitions} repetitions before this, the lower number first`,
    )
  }
  // A lazy repetition changes which text is found, not whether one is.
  cursor.accept('?')
  return { source: counted, times: Math.max(least, most, 1) }
}

function tooLarge(cursor: Cursor): LanguageError {
  const position = cursor.position()
  return new LanguageError(`The expression is too large at position ${position}.`, {
    position,
    expected: [`at most ${regexLimits.size} characters once repetitions are written out`],
  })
}

function withAdvice({ message, position, expected }: LanguageError): LanguageError {
  return new LanguageError(message, { position, expected, hint })
}

/**
 * Limit on the length of a range. Case is folded character by character, so a long range is a long
 * list.
 */
const maxRangeLength = 512

/**
 * class = "[" , [ "^" ] , item , { item } , "]" — called after the bracket.
 * @returns the class in PostgreSQL's syntax
 */
function readClass(cursor: Cursor): string {
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
  if (length < 0 || length > maxRangeLength) {
    throw cursor.fail(`a range upwards of at most ${maxRangeLength} characters before this`)
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
