import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { Value } from './ast.ts'
import { readWord, withHint } from './lexer.ts'
import { parseNumber } from './parse-number.ts'
import { parseTime, timeForms } from './parse-time.ts'

const sample = ['a text in quotes', 'a number', 'true or false', "dt'2026-01-31'", '[]']

/** value = "true" | "false" | number | text | "dt" text | "[]" | "[*]" */
export function readValue(cursor: Cursor): Value {
  if (cursor.accept('[]') || cursor.accept('[*]')) return { kind: 'emptyArray' }
  const start = cursor.position()
  if (cursor.match(/dt(?=["'])/y) !== undefined) return toTime(readText(cursor), start)
  const text = readText(cursor)
  if (text !== undefined) return { kind: 'text', value: text }
  const number = parseNumber(cursor)
  if (number !== undefined) return { kind: 'number', value: number }
  const truth = cursor.match(/(true|false)(?![\p{L}\d_@.-])/uy)
  if (truth !== undefined) return { kind: 'boolean', value: truth === 'true' }
  throw noValue(cursor)
}

/** text = "'" , { any but "'" | "''" } , "'" — or the same with double quotes; a doubled quote is one. */
export function readText(cursor: Cursor): string | undefined {
  const start = cursor.position()
  const quoted = cursor.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"/y)
  if (quoted === undefined) {
    if (cursor.accept("'") || cursor.accept('"')) throw unclosed(start)
    return undefined
  }
  const quote = quoted.charAt(0)
  const text = quoted.slice(1, -1).replaceAll(quote + quote, quote)
  if (text.includes('\0')) throw holdsNothing(start)
  // Half a surrogate pair is no character, and no record can hold one.
  return text.toWellFormed()
}

function toTime(text: string | undefined, position: number): Value {
  const value = text === undefined ? undefined : parseTime(text)
  if (value !== undefined) return { kind: 'time', value }
  throw new LanguageError(
    `Expected a date at position ${position}, found ${JSON.stringify(text)}.`,
    {
      position,
      expected: timeForms,
      hint: 'The day must exist; without a zone UTC is meant.',
    },
  )
}

function noValue(cursor: Cursor): LanguageError {
  const error = cursor.fail(...sample)
  const word = readWord(cursor)
  if (word === undefined) return error
  const meant = /^(true|false)$/i.test(word) ? word.toLowerCase() : `'${word}'`
  return withHint(error, `Did you mean ${meant}? Texts stand in quotes.`)
}

function unclosed(position: number): LanguageError {
  return new LanguageError(`The text that begins at position ${position} has no end.`, {
    position,
    expected: ['a closing quote'],
    hint: "A quote inside a text is written twice: 'it''s'.",
  })
}

function holdsNothing(position: number): LanguageError {
  return new LanguageError('A text cannot hold the character U+0000.', {
    position,
    expected: ['a text without U+0000'],
  })
}
