import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'

/** What stands for a value in the source, before its type is known. */
export type Written = { readonly text: string; readonly isQuoted: boolean }

/** The name that a clause begins with, such as `scode`: letters and underscores (reference 2.3). */
export function readAlias(cursor: Cursor): string | undefined {
  return cursor.match(/[\p{L}_]+/uy)
}

/**
 * value = '"' , { character | "\" any } , '"' | '\"' , { character | "\" any } , '\"' | { character | "\" any }
 *
 * A backslash makes the character after it an ordinary one. Quotes protect commas and parentheses
 * (decision D42); an apostrophe is written with a backslash everywhere (reference 2.3 rule 2).
 */
export function readWritten(cursor: Cursor): Written {
  if (cursor.accept('"')) return { text: readQuoted(cursor), isQuoted: true }
  const printed = cursor.match(quotedAsPrinted)
  return printed === undefined
    ? { text: readBare(cursor), isQuoted: false }
    : { text: printed.slice(2, -2).replace(/\\([^])/gu, '$1'), isQuoted: true }
}

/** With a backslash before each quote, as the interface prints an example (4.8). */
const quotedAsPrinted = /\\"(?:[^\\"']|\\[^"])*\\"(?=[),]|$)/uy

function readQuoted(cursor: Cursor): string {
  const text = readCharacters(cursor, /[^\\"']+/uy)
  if (!cursor.accept('"')) throw strayCharacter(cursor, 'a double quote at the end of the text')
  return text
}

function readBare(cursor: Cursor): string {
  const text = readCharacters(cursor, /[^\\"'(),]+/uy)
  const isOver = cursor.isAtEnd() || cursor.match(/(?=[),])/y) !== undefined
  if (!isOver) throw strayCharacter(cursor, '","', '")"', 'the end')
  return text
}

function readCharacters(cursor: Cursor, plain: RegExp): string {
  let text = ''
  for (;;) {
    const piece = cursor.match(plain) ?? cursor.match(/\\[^]/uy)?.slice(1)
    if (piece === undefined) return text
    text += piece
  }
}

/** A character that means something in the language stands where it can only stand for itself. */
function strayCharacter(cursor: Cursor, ...expected: readonly string[]): LanguageError {
  const { message, position } = cursor.fail(...expected)
  const stray = cursor.match(/["'()]/y)
  const hint =
    stray === undefined
      ? 'A text stands between double quotes: "…"'
      : `A ${stray} inside a text is written \\${stray}`
  return new LanguageError(message, { position, expected, hint })
}
