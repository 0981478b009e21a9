import { AppError } from '../../errors/index.ts'
import { createCursor, LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { keyAdvice } from '../catalogue/find-field.ts'
import { parseTime } from '../time.ts'
import { parseNumber, quote, readAlias, readValue } from './lexer.ts'
import type { Clause, Expression, List, Literal, Quoting, Scalar, Span } from './lexer.ts'

type ScalarKind = Scalar['kind']

/** The kinds of database values that a condition can test. */
export type TargetKind =
  | 'text'
  | 'boolean'
  | 'number'
  | 'time'
  /** A whole JSON document, which can only be tested for null. */
  | 'json'
  /** A value of any type at a path inside JSON. */
  | 'path'
  /** A measured value: a number or a text. */
  | 'value'
  | 'geometry'

const equality = ['eq', 'neq']
const comparisons = [...equality, 'lt', 'gt', 'lteq', 'gteq']
export const patterns = ['re', 'ire', 'nre', 'nire']
export const memberships = ['in', 'nin']
export const places = ['bbi', 'bbc', 'dlt']

/** All operators. */
export const operators = [...comparisons, ...patterns, ...memberships, ...places]

/** Operators that may precede a single value, by its kind (reference 2.4). */
export const operatorsOf: Readonly<Record<ScalarKind, readonly string[]>> = {
  null: equality,
  boolean: equality,
  number: comparisons,
  time: comparisons,
  text: [...equality, ...patterns],
}

/**
 * Kinds of values that each target can be compared with. Every target can be compared with null
 * (reference 2.4).
 */
export const comparable: Readonly<Record<TargetKind, readonly ScalarKind[]>> = {
  text: ['text'],
  boolean: ['boolean'],
  number: ['number'],
  time: ['time'],
  json: [],
  path: ['text', 'number', 'boolean'],
  value: ['number', 'text'],
  geometry: [],
}

/** Names of the kinds in messages. */
export const kindNames: Readonly<Record<ScalarKind, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  time: 'a time',
  text: 'a text',
}

export const targetNames: Readonly<Record<TargetKind, string>> = {
  text: 'a text',
  boolean: 'true or false',
  number: 'a number',
  time: 'a time',
  json: 'a JSON object: a condition names a field, such as {name}.city, or null',
  path: 'a text, a number, true or false',
  value: 'a number or a text',
  geometry: 'a place: bbi, bbc and dlt take a list of numbers',
}

/** Limits of an expression. Beyond them it is rejected. */
export const limits = { length: 8000, depth: 20, clauses: 200 } as const

type Reading = {
  readonly cursor: Cursor
  readonly source: string
  readonly quoting: Quoting
  readonly counted: { clauses: number }
}

/**
 * Parses a `where` (interface 4.9, reference 2.3): where = item , { "," , item }
 * @param start position of the expression, which ends with the source
 * @throws LanguageError with the position, what was expected and a hint
 */
export function parseWhere(source: string, quoting: Quoting, start = 0): Expression {
  if (source.length - start > limits.length) {
    throw new LanguageError(`The expression is longer than ${limits.length} characters.`, {
      position: start + limits.length,
      expected: [`at most ${limits.length} characters`],
    })
  }
  const cursor = createCursor(source, start)
  const reading: Reading = { cursor, source, quoting, counted: { clauses: 0 } }
  const of = readItems(reading, 1)
  if (!cursor.isAtEnd()) throw cursor.fail('","', 'the end')
  const [only] = of
  const span = { start, end: source.length }
  return of.length === 1 && only !== undefined ? only : { kind: 'and', of, span }
}

/** item , { "," , item } */
function readItems(reading: Reading, depth: number): readonly Expression[] {
  const items = [readItem(reading, depth)]
  while (reading.cursor.accept(',')) items.push(readItem(reading, depth))
  return items
}

/** item = ( "and" | "or" ) , "(" , item , { "," , item } , ")" | clause */
function readItem(reading: Reading, depth: number): Expression {
  const { cursor } = reading
  const start = cursor.position()
  const kind = cursor.accept('and(') ? 'and' : cursor.accept('or(') ? 'or' : undefined
  if (kind === undefined) return readClause(reading)
  if (depth > limits.depth) throw cursor.fail(`at most ${limits.depth} levels of parentheses`)
  const of = readItems(reading, depth + 1)
  if (!cursor.accept(')')) throw cursor.fail('","', '")"')
  return { kind, of, span: { start, end: cursor.position() } }
}

/** clause = alias , head , value */
function readClause({ cursor, source, quoting, counted }: Reading): Clause {
  const start = cursor.position()
  const name = readAlias(cursor)
  if (name === undefined) throw cursor.fail('the name of a field', '"and("', '"or("')
  counted.clauses += 1
  if (counted.clauses > limits.clauses) throw cursor.fail(`at most ${limits.clauses} conditions`)
  const offset = cursor.position()
  if (source.startsWith('(', offset)) throw unknownCall(cursor, name.toLowerCase())
  const head = splitHead(source.slice(offset), offset)
  cursor.accept(source.slice(offset, offset + head.length))
  if (!operators.includes(head.operator.toLowerCase()) && cursor.match(lastOperator)) {
    const { message, position, expected } = cursor.fail('"." and a value')
    const hint = `A condition looks like ${source.slice(start, position)}."P1"`
    throw new LanguageError(message, { position, expected, hint })
  }
  const operatorAt = offset + head.operatorAt
  return {
    kind: 'clause',
    operand: { name, path: head.path, span: { start, end: operatorAt - 1 } },
    operator: head.operator.toLowerCase(),
    value: readValue(cursor, quoting),
    span: { start: operatorAt, end: offset + head.length - 1 },
  }
}

/**
 * Matches the end of `smetadata.capacity.eq`: `eq` is not a value, because `capacity` is not an
 * operator.
 */
const lastOperator = new RegExp(`(?:${operators.join('|')})(?=[),]|$)`, 'iy')

function unknownCall(cursor: Cursor, name: string): LanguageError {
  const { message, position, expected } = cursor.fail('"."')
  const isLogical = name === 'and' || name === 'or'
  const hint = isLogical ? `Write ${name}( in lower case` : conditionForm
  const instead = 'There is no not( ): use neq, nin, nre or nire'
  return new LanguageError(message, { position, expected, hint: name === 'not' ? instead : hint })
}

const conditionForm = 'A condition looks like scode.eq."P1" or mvalue.gt.5'

/**
 * The part between the name of a clause and its value. Positions count from the end of the name.
 */
type Head = {
  readonly path: readonly string[]
  readonly operator: string
  readonly operatorAt: number
  /** Length of the head, which is the position of the value. */
  readonly length: number
}

/**
 * head = "." , [ name , { "." , name } , "." ] , operator , "."
 *
 * Paths and plain values consist of the same characters, so the last dot ends the head. If no word
 * precedes it, it may be the decimal point of a number or time (reference 2.3 rule 7).
 * @param rest the source after the name of a clause
 * @param offset position of `rest` in the source, for errors
 */
function splitHead(rest: string, offset: number): Head {
  const run = /^[\p{L}\p{N}_.-]*/u.exec(rest)?.[0] ?? ''
  const dots = [...run.matchAll(/\./g)].map(({ index }) => index)
  const [last, point, before] = dots.toReversed()
  if (dots[0] !== 0 || last === undefined || point === undefined) {
    throw missingDot(rest, run, offset)
  }
  const plain = toHead(run, point, last)
  if (plain !== undefined) return checked(plain, offset)
  const decimal = before === undefined ? undefined : toHead(run, before, point)
  if (decimal !== undefined && isDecimal(rest.slice(decimal.length))) {
    return checked(decimal, offset)
  }
  const expected = ['an operator', 'double quotes around a text with dots']
  const position = offset + point + 1
  throw new LanguageError(
    `Expected an operator at position ${position}, found ${JSON.stringify(run.slice(point + 1, last))}.`,
    { position, expected, hint: 'Put a text with dots in double quotes: "a.b"' },
  )
}

/**
 * Returns the head whose operator is between two dots, or undefined if there is no word between
 * them.
 */
function toHead(run: string, from: number, to: number): Head | undefined {
  const operator = run.slice(from + 1, to)
  if (!/^\p{L}+$/u.test(operator)) return undefined
  const path = from === 0 ? [] : run.slice(1, from).split('.')
  return { path, operator, operatorAt: from + 1, length: to + 1 }
}

function checked(head: Head, offset: number): Head {
  if (!head.path.includes('')) return head
  throw new LanguageError(`A name is missing between two dots at position ${offset + 1}.`, {
    position: offset + 1,
    expected: ['a name, or the number of an element'],
  })
}

function isDecimal(rest: string): boolean {
  const value = /^[^,)]*/.exec(rest)?.[0] ?? ''
  return parseNumber(value) !== undefined || parseTime(value) !== undefined
}

function missingDot(rest: string, run: string, offset: number): LanguageError {
  const position = offset + run.length
  const found = rest.slice(run.length, run.length + 12)
  const shown = found === '' ? 'the end' : JSON.stringify(found)
  const expected = run.endsWith('.') ? ['an operator'] : ['"."']
  const message = `Expected ${expected.join(' or ')} at position ${position}, found ${shown}.`
  if (!found.startsWith('(')) {
    const hint = run.length > 1 && /^[^,)]/.test(found) ? keyAdvice : conditionForm
    return new LanguageError(message, { position, expected, hint })
  }
  const hint = 'Put a dot before the parenthesis: scoordinate.bbi.(11,46,12,47,4326)'
  return new LanguageError(message, { position, expected, hint })
}

/** Prints the canonical text of an expression. Parsing it again gives the same expression. */
export function printWhere(expression: Expression): string {
  if (expression.kind !== 'clause') {
    return `${expression.kind}(${expression.of.map(printWhere).join(',')})`
  }
  const { operand, operator, value } = expression
  return [operand.name, ...operand.path, operator, printValue(value)].join('.')
}

function printValue(value: Literal | List): string {
  return value.kind === 'list' ? `(${value.items.map(printScalar).join(',')})` : printScalar(value)
}

function printScalar(scalar: Literal): string {
  switch (scalar.kind) {
    case 'null':
      return 'null'
    case 'boolean':
    case 'number':
      return String(scalar.value)
    case 'text':
      return quote(scalar.value)
    case 'time':
      return scalar.value
  }
}

/** Returns the error for a text that is not a `where` at all (decision D1). */
export function rejectedWhere({ message, position, expected, hint }: LanguageError): AppError {
  const advice = hint === undefined ? {} : { hint }
  return new AppError('HUB-QRY-007', `where: ${message}`, {
    issues: [{ parameter: 'where', detail: message, position, expected, ...advice }],
    ...advice,
  })
}

type Complaint = {
  readonly detail: string
  readonly expected?: readonly string[]
  readonly hint?: string
}

/** Returns the error for a condition that can be parsed, but does not apply to this data. */
export function meaningless({ start }: Span, complaint: Complaint): AppError {
  const { detail, hint } = complaint
  return new AppError('HUB-QRY-008', `where: ${detail} (position ${start}).`, {
    issues: [{ parameter: 'where', position: start, ...complaint }],
    ...(hint === undefined ? {} : { hint }),
  })
}
