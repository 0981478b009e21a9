import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { Operator, Scalar, Term, Value } from './ast.ts'
import { acceptSign, readField, readWord, withHint } from './lexer.ts'
import { parseNumber } from './parse-number.ts'
import { parseTime, timeForms } from './parse-time.ts'
import { assertPattern, isRegex } from './pattern.ts'

const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export const termNames = [
  ...operators,
  'like',
  'in',
  'nin',
  'likein',
  'isnull',
  'isnotnull',
] as const
type TermName = (typeof termNames)[number]

export function isTermName(name: string): name is TermName {
  return termNames.some((known) => known === name)
}

/** How much a term counts towards the limit. */
export function termsOf(term: Term): number {
  if (term.kind === 'membership') return term.values.length
  return term.kind === 'likeness' ? term.patterns.length : 1
}

/** How many regular expressions a term has. */
export function regexesOf(term: Term): number {
  return term.kind === 'likeness' ? term.patterns.filter(isRegex).length : 0
}

/** term = name , "(" field , { "," value } , ")" — called between the brackets. */
export function parseTerm(cursor: Cursor, name: TermName, start: number): Term {
  const field = readField(cursor)
  const span = { start, end: cursor.position() }
  switch (name) {
    case 'isnull':
    case 'isnotnull':
      return { kind: 'presence', test: name, field, span }
    case 'in':
    case 'nin':
      return { kind: 'membership', test: name, field, values: readList(cursor, readScalar), span }
    case 'likein':
      return { kind: 'likeness', field, patterns: readList(cursor, readPattern), span }
    case 'like':
      comma(cursor)
      return { kind: 'like', field, pattern: readPlainText(cursor), span }
    default:
      comma(cursor)
      return { kind: 'comparison', operator: name, field, value: readOperand(cursor, name), span }
  }
}

function comma(cursor: Cursor): void {
  if (!acceptSign(cursor, ',')) throw cursor.fail('","')
}

/** list = "," value , { "," value } */
function readList<Item>(cursor: Cursor, read: (cursor: Cursor) => Item): readonly Item[] {
  comma(cursor)
  const items = [read(cursor)]
  while (acceptSign(cursor, ',')) items.push(read(cursor))
  return items
}

function readScalar(cursor: Cursor): Scalar {
  const position = cursor.position()
  const value = readValue(cursor)
  if (value.kind !== 'time' && value.kind !== 'emptyArray') return value
  throw wrongKind(value, position, ['a text in quotes', 'a number', 'true or false'])
}

function readOperand(cursor: Cursor, operator: Operator): Value {
  const position = cursor.position()
  const value = readValue(cursor)
  if (value.kind !== 'emptyArray' || operator === 'eq' || operator === 'ne') return value
  throw wrongKind(value, position, ['a text in quotes', 'a number', 'true or false', 'a date'])
}

function readPattern(cursor: Cursor): string {
  const position = cursor.position()
  const pattern = readPlainText(cursor)
  assertPattern(pattern, position)
  return pattern
}

function readPlainText(cursor: Cursor): string {
  const text = readText(cursor)
  if (text === undefined) throw cursor.fail('a text in quotes')
  return text
}

function wrongKind({ kind }: Value, position: number, expected: readonly string[]): LanguageError {
  const found = kind === 'time' ? 'a date' : 'an empty array'
  return new LanguageError(
    `Expected ${expected.join(' or ')} at position ${position}, found ${found}.`,
    { position, expected },
  )
}

const sample = ['a text in quotes', 'a number', 'true or false', "dt'2026-01-31'", '[]']

/** value = "true" | "false" | number | text | "dt" text | "[]" | "[*]" */
function readValue(cursor: Cursor): Value {
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
function readText(cursor: Cursor): string | undefined {
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
