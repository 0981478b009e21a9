import { LanguageError, nearest } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { Expression, Field, Operator, RawFilter, Scalar, Term, Value } from './ast.ts'
import {
  acceptSign,
  assertPattern,
  isRegex,
  limits,
  openSource,
  parseNumber,
  parseTime,
  readField,
  readWord,
  rejectedText,
  skipBlanks,
  timeForms,
  withHint,
} from './lexer.ts'
import { printField } from './print.ts'

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

function isTermName(name: string): name is TermName {
  return termNames.some((known) => known === name)
}

/** Returns how much a term counts towards the limit. */
function termsOf(term: Term): number {
  if (term.kind === 'membership') return term.values.length
  return term.kind === 'likeness' ? term.patterns.length : 1
}

function regexesOf(term: Term): number {
  return term.kind === 'likeness' ? term.patterns.filter(isRegex).length : 0
}

/** term = name , "(" field , { "," value } , ")" — called after the opening bracket. */
function parseTerm(cursor: Cursor, name: TermName, start: number): Term {
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
      return {
        kind: 'comparison',
        operator: name,
        field,
        value: readOperand(cursor, name, field),
        span,
      }
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

function readOperand(cursor: Cursor, operator: Operator, field: Field): Value {
  const position = cursor.position()
  if (cursor.match(/(?=null(?![\p{L}\d_@.-]))/iuy) !== undefined) {
    const test = operator === 'ne' ? 'isnotnull' : 'isnull'
    throw withHint(cursor.fail(...sample), `Did you mean ${test}(${printField(field)})?`)
  }
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

/**
 * text = "'" , { any but "'" | "''" } , "'" — or the same with double quotes; a doubled quote
 * stands for one.
 */
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
  // Half a surrogate pair is not a character, and no record can contain one.
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
  if (/^null$/i.test(word)) return withHint(error, 'isnull(field) finds records without a value.')
  const meant = /^(true|false)$/i.test(word) ? word.toLowerCase() : `'${word}'`
  return withHint(error, `Did you mean ${meant}? Put texts in quotes.`)
}

function unclosed(position: number): LanguageError {
  return new LanguageError(`The text that starts at position ${position} has no closing quote.`, {
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

const names = ['and', 'or', 'not', ...termNames]

/**
 * Parses a `rawfilter` (reference content.md 2.1, decision D35). Pure, because the web page uses
 * it, too.
 * @throws LanguageError with the position, what was expected and a hint
 */
export function readRawFilter(text: string): RawFilter {
  const cursor = openSource(text)
  skipBlanks(cursor)
  const expression = parseExpression({ cursor, counted: { terms: 0, regexes: 0 } }, 1)
  skipBlanks(cursor)
  if (!cursor.isAtEnd()) throw cursor.fail('the end')
  return { expression }
}

/** The source, and how much of each limit is used so far. */
type Reading = { readonly cursor: Cursor; readonly counted: { terms: number; regexes: number } }

/** expression = ( "and" | "or" ) list | "not" "(" expression ")" | term */
function parseExpression(reading: Reading, depth: number): Expression {
  const { cursor } = reading
  const start = cursor.position()
  if (depth > limits.depth) throw cursor.fail(`at most ${limits.depth} levels of brackets`)
  const { name, fail } = readName(cursor)
  if (name === 'and' || name === 'or') return parseList(reading, name, { start, depth })
  if (name === 'not') {
    open(cursor, name)
    const of = parseExpression(reading, depth + 1)
    close(cursor)
    return { kind: 'not', of, span: { start, end: cursor.position() } }
  }
  if (!isTermName(name)) throw fail
  open(cursor, name)
  const term = parseTerm(cursor, name, start)
  count(reading.counted, term)
  close(cursor)
  return { ...term, span: { start, end: cursor.position() } }
}

/**
 * list = "(" expression , { "," expression } , ")" — a list of one expression is that expression.
 */
function parseList(
  reading: Reading,
  kind: 'and' | 'or',
  { start, depth }: { readonly start: number; readonly depth: number },
): Expression {
  const { cursor } = reading
  open(cursor, kind)
  const first = parseExpression(reading, depth + 1)
  const of = [first]
  while (acceptSign(cursor, ',')) of.push(parseExpression(reading, depth + 1))
  close(cursor)
  return of.length === 1 ? first : { kind, of, span: { start, end: cursor.position() } }
}

/**
 * Reads the next word, and creates the error for the case that it is not the name of a function.
 */
function readName(cursor: Cursor): { readonly name: string; readonly fail: LanguageError } {
  const error = cursor.fail(...names)
  const name = readWord(cursor) ?? ''
  const meant = nearest(name, names)
  return { name, fail: withHint(error, meant && `Did you mean ${meant}? Names are in lower case.`) }
}

function open(cursor: Cursor, name: string): void {
  if (!acceptSign(cursor, '(')) throw cursor.fail(`"(" after ${name}`)
}

function close(cursor: Cursor): void {
  skipBlanks(cursor)
  if (!cursor.accept(')')) throw cursor.fail('")"', '","')
}

function count(counted: Reading['counted'], term: Term): void {
  counted.terms += termsOf(term)
  counted.regexes += regexesOf(term)
  if (counted.terms > limits.terms) {
    throw tooMany('terms', term, 'each value of in, nin and likein counts as one')
  }
  if (counted.regexes > limits.regexes) {
    throw tooMany('regexes', term, 'expressions can be joined: /one|other/')
  }
}

function tooMany(what: 'terms' | 'regexes', { span }: Term, hint: string): LanguageError {
  const most = `${limits[what]} ${what === 'terms' ? what : 'regular expressions'}`
  const at = { position: span.start, expected: [`at most ${most}`], hint }
  return new LanguageError(`There are more than ${most}.`, at)
}

/**
 * Parses the `rawfilter` of a request.
 * @throws AppError HUB-QRY-005 with the position, what was expected and a hint
 */
export function parseRawFilter(text: string): RawFilter {
  try {
    return readRawFilter(text)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    throw rejectedText('rawfilter', error)
  }
}
