import { LanguageError, createCursor } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { Field, Segment } from './ast.ts'

/**
 * What an expression may have (decision D35). PostgreSQL keeps 32 regular expressions at a time; more of
 * them in one statement would be made again for every row.
 */
export const limits = {
  characters: 4_000,
  depth: 20,
  terms: 200,
  segments: 20,
  regexes: 20,
} as const

/**
 * A cursor on the text of a parameter.
 * @throws LanguageError when the text is too long
 */
export function openSource(source: string): Cursor {
  if (source.length > limits.characters) {
    const most = limits.characters.toLocaleString('en')
    throw new LanguageError(`The text is longer than ${most} characters.`, {
      position: limits.characters,
      expected: [`at most ${most} characters`],
    })
  }
  return createCursor(source)
}

export function skipBlanks(cursor: Cursor): void {
  cursor.match(/[ \t\r\n]*/y)
}

/** Takes a sign of punctuation and the blanks around it, if it stands here. */
export function acceptSign(cursor: Cursor, sign: '(' | ')' | ','): boolean {
  skipBlanks(cursor)
  if (!cursor.accept(sign)) return false
  skipBlanks(cursor)
  return true
}

/** Takes the whole word that stands here, whether it means something or not. */
export function readWord(cursor: Cursor): string | undefined {
  return cursor.match(/[\p{L}\d_@-]+/uy)
}

/** field = segment , { "." segment | each } */
export function readField(cursor: Cursor): Field {
  const start = cursor.position()
  const segments = [readSegment(cursor)]
  for (;;) {
    const previous = segments.at(-1)
    if (previous?.kind === 'name' && cursor.accept('[*]')) segments.push({ kind: 'each' })
    else if (cursor.accept('.')) segments.push(readSegment(cursor))
    else break
    if (segments.length > limits.segments) throw cursor.fail(`at most ${limits.segments} steps`)
  }
  if (cursor.accept('[')) throw bracketAfterName(cursor)
  return { segments, span: { start, end: cursor.position() } }
}

/** segment = "[*]" | "[]" | name */
function readSegment(cursor: Cursor): Segment {
  if (cursor.accept('[*]') || cursor.accept('[]')) return { kind: 'each' }
  const name = readWord(cursor)
  if (name === undefined) throw cursor.fail('a field such as Detail.en.Title')
  return { kind: 'name', name }
}

function bracketAfterName(cursor: Cursor): LanguageError {
  const position = cursor.position() - 1
  return new LanguageError(`Expected "[*]" or "." at position ${position}, found "[".`, {
    position,
    expected: ['"[*]"', '"."'],
    hint: 'Every element is Features.[*], the first one GpsInfo.0.',
  })
}

/** The same error with advice. */
export function withHint(error: LanguageError, hint: string | undefined): LanguageError {
  const { message, position, expected } = error
  if (hint === undefined) return error
  return new LanguageError(message, { position, expected, hint })
}
