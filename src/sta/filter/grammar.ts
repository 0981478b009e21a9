import { parseGeometry, printGeometry } from '../../content/index.ts'
import type { Geometry } from '../../content/index.ts'
import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { withPlus } from '../../lang/zone.ts'
import { toInstant } from '../../timeseries/index.ts'

/**
 * A parsed `$filter` (OGC 18-088, 9.3.3.5; OData 4.01 URL conventions, 5.1.1), with the positions
 * of its parts.
 */
export type Expression =
  | Literal
  | Path
  | {
      readonly kind: 'call'
      readonly name: string
      readonly of: readonly Expression[]
      readonly position: number
    }
  | {
      readonly kind: 'operation'
      readonly operator: Operator
      readonly of: readonly [Expression, Expression]
      readonly position: number
    }
  | { readonly kind: 'not' | 'minus'; readonly of: Expression; readonly position: number }

/** Path to a property, possibly of a related entity: `Thing/properties/type`. */
export type Path = {
  readonly kind: 'path'
  readonly names: readonly string[]
  readonly position: number
}

export type Literal = { readonly position: number } & (
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly value: string }
  /** `digits` is the original spelling, if a JavaScript number would lose digits. */
  | { readonly kind: 'number'; readonly value: number; readonly digits?: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** ISO 8601 with a time zone. */
  | { readonly kind: 'time'; readonly value: string }
  | { readonly kind: 'date'; readonly value: string }
  /** ISO 8601, such as `P1DT2H`. */
  | { readonly kind: 'duration'; readonly value: string }
  /** In WGS 84, longitude first. */
  | { readonly kind: 'geometry'; readonly value: Geometry }
)

/** Operators by precedence, the lowest first. */
const levels = [
  ['or'],
  ['and'],
  ['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
  ['add', 'sub'],
  ['mul', 'div', 'mod'],
] as const
export type Operator = (typeof levels)[number][number]

const patterns = levels.map((names) => new RegExp(`\\s+(?:${names.join('|')})(?=[\\s(]|$)`, 'y'))

/**
 * Maximum length in characters, depth of nesting and number of operands. Longer expressions are
 * rejected.
 */
export const limits = { length: 8000, depth: 30, terms: 200 } as const

type Reading = { readonly cursor: Cursor; readonly counted: { terms: number; depth: number } }

/**
 * Parses an expression, up to the first text that cannot belong to it.
 *
 * ```
 * expression = operand { operator operand }        by the precedence of operators
 * operand    = "not" operand | "-" operand | "(" expression ")" | literal
 *            | name "(" [ arguments ] ")" | path
 * arguments  = expression { "," expression }
 * path       = name { "/" name }
 * ```
 * @throws LanguageError with the position
 */
export function parseFilter(cursor: Cursor): Expression {
  return readOperations({ cursor, counted: { terms: 0, depth: 0 } }, 0)
}

function readOperations(reading: Reading, level: number): Expression {
  const operators = levels[level]
  const pattern = patterns[level]
  if (operators === undefined || pattern === undefined) return readOperand(reading)
  const { cursor } = reading
  let left = readOperations(reading, level + 1)
  for (;;) {
    const position = cursor.position()
    const written = cursor.match(pattern)?.trim()
    const operator = operators.find((one) => one === written)
    if (operator === undefined) return left
    const of = [left, readOperations(reading, level + 1)] as const
    left = { kind: 'operation', operator, of, position: position + 1 }
  }
}

function readOperand(reading: Reading): Expression {
  const { cursor, counted } = reading
  skip(cursor)
  const position = cursor.position()
  counted.terms += 1
  if (counted.terms > limits.terms) throw cursor.fail(`at most ${String(limits.terms)} operands`)
  const kind = cursor.match(/not(?=[\s(])/y) === undefined ? undefined : 'not'
  if (kind !== undefined)
    return nested(reading, () => ({ kind, of: readOperand(reading), position }))
  if (cursor.accept('(')) {
    const inner = nested(reading, () => readOperations(reading, 0))
    expect(cursor, ')')
    return inner
  }
  return readLiteral(cursor) ?? readMinus(reading) ?? readCall(reading) ?? readPath(cursor)
}

function readMinus(reading: Reading): Expression | undefined {
  const position = reading.cursor.position()
  if (!reading.cursor.accept('-')) return undefined
  return nested(reading, () => ({ kind: 'minus', of: readOperand(reading), position }))
}

function nested(reading: Reading, read: () => Expression): Expression {
  const { cursor, counted } = reading
  counted.depth += 1
  if (counted.depth > limits.depth) throw cursor.fail(`at most ${String(limits.depth)} levels`)
  const found = read()
  counted.depth -= 1
  return found
}

function readCall(reading: Reading): Expression | undefined {
  const { cursor } = reading
  const position = cursor.position()
  const name = cursor.match(/[a-z][a-z_.]*(?=\()/iy)?.toLowerCase()
  if (name === undefined) return undefined
  expect(cursor, '(')
  skip(cursor)
  if (cursor.accept(')')) return { kind: 'call', name, of: [], position }
  const of: Expression[] = []
  do of.push(nested(reading, () => readOperations(reading, 0)))
  while (acceptNext(cursor))
  expect(cursor, ')')
  return { kind: 'call', name, of, position }
}

function acceptNext(cursor: Cursor): boolean {
  skip(cursor)
  return cursor.accept(',')
}

/** Parses a path. Names are spelled as in the standard; `@iot.id` becomes `id`. */
export function readPath(cursor: Cursor): Path {
  skip(cursor)
  const position = cursor.position()
  const names = [readName(cursor)]
  while (cursor.accept('/')) names.push(readName(cursor))
  return { kind: 'path', names, position }
}

function readName(cursor: Cursor): string {
  const name = cursor.match(/@iot\.(?:id|selfLink)|[\p{L}_][\p{L}\p{N}_.-]*|\d+(?![.\w])/uy)
  if (name === undefined) throw cursor.fail('the name of a property', 'a value', '"("')
  return name.replace('@iot.', '')
}

function readLiteral(cursor: Cursor): Literal | undefined {
  const position = cursor.position()
  const quoted = readQuoted(cursor)
  if (quoted !== undefined) return { kind: 'text', value: quoted, position }
  const word = cursor.match(/(?:true|false|null)(?![\p{L}\p{N}_/(.-])/uy)
  if (word === 'null') return { kind: 'null', position }
  if (word !== undefined) return { kind: 'boolean', value: word === 'true', position }
  const typed = cursor.match(/(?:geography|duration)(?=')/iy)?.toLowerCase()
  if (typed === 'duration') return readDuration(cursor, position)
  if (typed === 'geography') {
    expect(cursor, "'")
    const value = parseGeometry(cursor)
    expect(cursor, "'")
    return { kind: 'geometry', value, position }
  }
  return readMoment(cursor, position) ?? readNumber(cursor, position)
}

/** Parses a quoted text. A quote inside is doubled. */
export function readQuoted(cursor: Cursor): string | undefined {
  if (!cursor.accept("'")) return undefined
  const value = cursor.match(/(?:[^']|'')*/uy)
  if (value === undefined || !cursor.accept("'")) throw cursor.fail('the closing quote')
  return value.replaceAll("''", "'")
}

/** A duration, too short to leave the range of times that the database supports. */
const duration =
  /-?P(?=T?\d)(?:\d{1,3}Y)?(?:\d{1,4}M)?(?:\d{1,5}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,7}M)?(?:\d{1,9}(?:\.\d{1,6})?S)?)?(?=')/y

function readDuration(cursor: Cursor, position: number): Literal {
  expect(cursor, "'")
  const value = cursor.match(duration)
  if (value === undefined) throw cursor.fail("a duration such as 'P1DT2H'")
  expect(cursor, "'")
  return { kind: 'duration', value, position }
}

/**
 * A date or a time. Without a zone it is in UTC. An unencoded "+" in a query arrives as a space.
 */
const moment = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+ -]\d\d:?\d\d)?)?/iy

function readMoment(cursor: Cursor, position: number): Literal | undefined {
  const written = cursor.match(moment)?.toUpperCase()
  if (written === undefined) return undefined
  const [day = '', clock] = written.split('T')
  const midnight = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  const isZoned = /(?:Z|[+ -]\d\d:?\d\d)$/.test(clock ?? '')
  const zoned = withPlus(`${day}T${clock ?? '00:00'}${isZoned ? '' : 'Z'}`)
  const value = isDay ? toInstant(zoned) : undefined
  if (value !== undefined) {
    return clock === undefined
      ? { kind: 'date', value: day, position }
      : { kind: 'time', value, position }
  }
  throw new LanguageError(`${written} is not a valid time at position ${String(position)}.`, {
    position,
    expected: ['a time such as 2026-11-25T12:00:00Z'],
  })
}

function readNumber(cursor: Cursor, position: number): Literal | undefined {
  const written = cursor.match(/-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?(?![\w.])/iy)
  if (written === undefined) return undefined
  const value = Number(written)
  const isLong = /^\d{16,}(?:\.\d+)?$/.test(written) && String(value) !== written
  if (Number.isFinite(value)) {
    return { kind: 'number', value, ...(isLong && { digits: written }), position }
  }
  throw new LanguageError(`${written} is greater than any number of the hub.`, { position })
}

export function skip(cursor: Cursor): void {
  cursor.match(/\s*/y)
}

export function expect(cursor: Cursor, text: string): void {
  if (text !== "'") skip(cursor)
  if (!cursor.accept(text)) throw cursor.fail(`"${text}"`)
}

/** Prints the canonical text of an expression. Parsing it again yields the same expression. */
export function printFilter(expression: Expression): string {
  switch (expression.kind) {
    case 'null':
      return 'null'
    case 'text':
      return `'${expression.value.replaceAll("'", "''")}'`
    case 'number':
      return expression.digits ?? String(expression.value)
    case 'boolean':
      return String(expression.value)
    case 'time':
    case 'date':
      return expression.value
    case 'duration':
      return `duration'${expression.value}'`
    case 'geometry':
      return `geography'${printGeometry(expression.value)}'`
    case 'path':
      return expression.names.join('/')
    case 'call':
      return `${expression.name}(${expression.of.map(printFilter).join(',')})`
    case 'not':
      return `(not ${printFilter(expression.of)})`
    case 'minus':
      return `(-(${printFilter(expression.of)}))`
    case 'operation':
      return `(${expression.of.map(printFilter).join(` ${expression.operator} `)})`
  }
}
