import { parseGeometry } from '../../content/index.ts'
import { LanguageError, createCursor, nearest } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { spatialRelations, temporalRelations } from './ast.ts'
import type {
  Expression,
  Literal,
  Moment,
  Operator,
  Place,
  Property,
  Scalar,
  Span,
  Text,
} from './ast.ts'
import { boxOf, count, maxDepth, limited, toMoment } from './limits.ts'
import type { Limits } from './limits.ts'

type Reading = { readonly cursor: Cursor; readonly limits: Limits }

/**
 * Parses CQL2 in its text encoding (OGC 21-065r2, annex B). Keywords and functions are
 * case-insensitive.
 *
 * ```
 * either     = both { "OR" both }
 * both       = negated { "AND" negated }
 * negated    = [ "NOT" ] predicate
 * predicate  = "(" either ")" | spatial | temporal | scalar [ rest ] | "TRUE" | "FALSE"
 * rest       = operator scalar | "IS" [ "NOT" ] "NULL" | [ "NOT" ] ( like | between | in )
 * ```
 * @throws LanguageError with the position
 */
export function readText(source: string): Expression {
  const reading = { cursor: createCursor(source), limits: limited() }
  const expression = readEither(reading, 0)
  skip(reading.cursor)
  if (!reading.cursor.isAtEnd()) throw reading.cursor.fail('AND', 'OR', 'the end')
  return expression
}

function readEither(reading: Reading, depth: number): Expression {
  return readJoined(reading, 'or', () =>
    readJoined(reading, 'and', () => readNegated(reading, depth)),
  )
}

function readJoined({ cursor }: Reading, kind: 'and' | 'or', read: () => Expression): Expression {
  const first = read()
  const of = [first]
  while (keyword(cursor, kind)) of.push(read())
  return of.length === 1 ? first : { kind, of }
}

function readNegated(reading: Reading, depth: number): Expression {
  if (depth > maxDepth) throw reading.cursor.fail(`at most ${String(maxDepth)} levels`)
  if (keyword(reading.cursor, 'not')) return { kind: 'not', of: readNegated(reading, depth + 1) }
  return readPredicate(reading, depth)
}

function readPredicate(reading: Reading, depth: number): Expression {
  const { cursor, limits } = reading
  count(limits, cursor.position())
  skip(cursor)
  if (cursor.accept('(')) {
    const inner = readEither(reading, depth + 1)
    expect(cursor, ')')
    return inner
  }
  return readRelation(reading) ?? readScalarPredicate(reading)
}

const relation = /(?<kind>[st])_[a-z]+(?=\s*\()/iy

function readRelation({ cursor }: Reading): Expression | undefined {
  const start = cursor.position()
  const written = cursor.match(relation)?.toLowerCase()
  if (written === undefined) return undefined
  const [kind, name] = [written.slice(0, 1), written.slice(2)]
  expect(cursor, '(')
  if (kind === 's') {
    const found = spatialRelations.find((known) => known === name)
    if (found === undefined)
      throw unknown(
        written,
        start,
        spatialRelations.map((one) => `s_${one}`),
      )
    return { kind: 'spatial', relation: found, places: readPair(cursor, readPlace) }
  }
  const found = temporalRelations.find((known) => known === name)
  if (found === undefined)
    throw unknown(
      written,
      start,
      temporalRelations.map((one) => `t_${one}`),
    )
  return { kind: 'temporal', relation: found, spans: readPair(cursor, readSpan) }
}

/** Parses two items that are separated by a comma, and the closing parenthesis. */
function readPair<Item>(cursor: Cursor, read: (cursor: Cursor) => Item): readonly [Item, Item] {
  const left = read(cursor)
  expect(cursor, ',')
  const right = read(cursor)
  expect(cursor, ')')
  return [left, right]
}

function unknown(written: string, position: number, known: readonly string[]): LanguageError {
  const meant = nearest(written, known)
  return new LanguageError(`There is no function ${written.toUpperCase()}.`, {
    position,
    expected: known.map((name) => name.toUpperCase()),
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant.toUpperCase()}?` }),
  })
}

function readScalarPredicate(reading: Reading): Expression {
  const { cursor } = reading
  const start = cursor.position()
  const value = readScalar(reading)
  if (keyword(cursor, 'is')) {
    const isNegated = keyword(cursor, 'not')
    if (!keyword(cursor, 'null')) throw cursor.fail('NULL')
    if (value.kind !== 'property') throw misplaced(start, 'a property')
    return isNegated ? negated({ kind: 'null', of: value }) : { kind: 'null', of: value }
  }
  const isNegated = keyword(cursor, 'not')
  const tested = readTest(reading, { value, start })
  if (tested !== undefined) return isNegated ? negated(tested) : tested
  if (isNegated) throw cursor.fail('LIKE', 'BETWEEN', 'IN')
  const operator = readOperator(cursor)
  if (operator !== undefined) {
    return { kind: 'comparison', operator, left: value, right: readScalar(reading) }
  }
  if (value.kind === 'boolean') return { kind: 'truth', value: value.value }
  if (value.kind === 'property') return { kind: 'flag', property: value }
  throw cursor.fail('=', '<>', '<', '<=', '>', '>=', 'LIKE', 'BETWEEN', 'IN')
}

type Tested = { readonly value: Scalar; readonly start: number }

function readTest(reading: Reading, { value, start }: Tested): Expression | undefined {
  const { cursor, limits } = reading
  if (keyword(cursor, 'like')) {
    const at = cursor.position()
    return { kind: 'like', value: asText(value, start), pattern: asText(readScalar(reading), at) }
  }
  if (keyword(cursor, 'between')) {
    const low = readScalar(reading)
    if (!keyword(cursor, 'and')) throw cursor.fail('AND')
    return { kind: 'between', value, bounds: [low, readScalar(reading)] }
  }
  if (!keyword(cursor, 'in')) return undefined
  expect(cursor, '(')
  const list: Scalar[] = []
  do {
    count(limits, cursor.position())
    list.push(readScalar(reading))
    skip(cursor)
  } while (cursor.accept(','))
  expect(cursor, ')')
  return { kind: 'in', value, list }
}

function negated(of: Expression): Expression {
  return { kind: 'not', of }
}

function asText(value: Scalar, position: number): Text {
  if (value.kind === 'number' || value.kind === 'boolean') throw misplaced(position, 'a text')
  if (value.kind === 'time' || value.kind === 'date') throw misplaced(position, 'a text')
  return value
}

function misplaced(position: number, expected: string): LanguageError {
  return new LanguageError(`Expected ${expected} at position ${String(position)}.`, {
    position,
    expected: [expected],
  })
}

function readOperator(cursor: Cursor): Operator | undefined {
  skip(cursor)
  const written = cursor.match(/<>|<=|>=|<|>|=/y)
  return (['=', '<>', '<', '<=', '>', '>='] as const).find((known) => known === written)
}

function readScalar(reading: Reading): Scalar {
  const { cursor, limits } = reading
  skip(cursor)
  const folded = cursor.match(/(casei|accenti)(?=\s*\()/iy)?.toLowerCase()
  if (folded === 'casei' || folded === 'accenti') {
    count(limits, cursor.position())
    expect(cursor, '(')
    const at = cursor.position()
    const of = asText(readScalar(reading), at)
    expect(cursor, ')')
    return { kind: folded, of }
  }
  const literal = readLiteral(cursor)
  if (literal !== undefined) return literal
  if (keyword(cursor, 'true')) return { kind: 'boolean', value: true }
  if (keyword(cursor, 'false')) return { kind: 'boolean', value: false }
  return readProperty(cursor, 'a text in single quotes', 'a number')
}

function readLiteral(cursor: Cursor): Literal | undefined {
  const text = readQuoted(cursor)
  if (text !== undefined) return { kind: 'text', value: text }
  const number = cursor.match(/[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?(?![\w.])/iy)
  if (number !== undefined) return { kind: 'number', value: Number(number) }
  return readMomentLiteral(cursor)
}

/** Parses a quoted text. A quote inside is doubled, or escaped by a backslash. */
function readQuoted(cursor: Cursor): string | undefined {
  if (!cursor.accept("'")) return undefined
  const text = cursor.match(/(?:[^'\\]|''|\\'|\\(?!'))*/uy)
  if (text === undefined || !cursor.accept("'")) throw cursor.fail('the closing quote')
  return text.replaceAll(/''|\\'/g, "'")
}

function readMomentLiteral(
  cursor: Cursor,
): Extract<Literal, { kind: 'time' | 'date' }> | undefined {
  const kind = cursor.match(/(timestamp|date)(?=\s*\()/iy)?.toLowerCase()
  if (kind === undefined) return undefined
  expect(cursor, '(')
  skip(cursor)
  const position = cursor.position()
  const written = readQuoted(cursor)
  if (written === undefined) throw cursor.fail('a text in single quotes')
  expect(cursor, ')')
  return toMoment(kind === 'date' ? 'date' : 'time', written, position)
}

const words = ['and', 'or', 'not', 'is', 'null', 'like', 'between', 'in', 'true', 'false'] as const
type Word = (typeof words)[number]

/** Matches a keyword only as a whole word, not as the beginning of a name. */
const whole = (word: Word) => new RegExp(`${word}(?![\\p{L}\\p{N}_:.])`, 'iuy')
const patterns: Readonly<Record<Word, RegExp>> = {
  ...{ and: whole('and'), or: whole('or'), not: whole('not'), is: whole('is') },
  ...{ null: whole('null'), like: whole('like'), between: whole('between'), in: whole('in') },
  ...{ true: whole('true'), false: whole('false') },
}

/** Parses the name of a property. Names with other characters must be in double quotes. */
function readProperty(cursor: Cursor, ...others: readonly string[]): Property {
  skip(cursor)
  const position = cursor.position()
  if (cursor.accept('"')) {
    const name = cursor.match(/([^"]|"")+(?=")/uy)
    if (name === undefined || !cursor.accept('"')) throw cursor.fail('the closing quote')
    return { kind: 'property', name: name.replaceAll('""', '"'), position }
  }
  const name = cursor.match(/[\p{L}_:][\p{L}\p{N}_:.]*/uy)
  if (name === undefined || words.some((word) => word === name.toLowerCase())) {
    throw misplaced(position, ['a property', ...others].join(' or '))
  }
  return { kind: 'property', name, position }
}

const geometryAhead =
  /(?=((multi)?(point|linestring|polygon)|geometrycollection)\s*(zm?|m)?\s*\()/iy

function readPlace(cursor: Cursor): Place {
  skip(cursor)
  const position = cursor.position()
  if (cursor.match(/bbox(?=\s*\()/iy) !== undefined) {
    expect(cursor, '(')
    const numbers: number[] = []
    do {
      skip(cursor)
      const number = readLiteral(cursor)
      if (number?.kind !== 'number') throw cursor.fail('a number')
      numbers.push(number.value)
      skip(cursor)
    } while (cursor.accept(','))
    expect(cursor, ')')
    return boxOf(numbers, position)
  }
  if (cursor.match(geometryAhead) !== undefined)
    return { kind: 'geometry', value: parseGeometry(cursor) }
  return readProperty(cursor, 'a geometry', 'BBOX')
}

function readSpan(cursor: Cursor): Span {
  skip(cursor)
  if (cursor.match(/interval(?=\s*\()/iy) === undefined) return readMoment(cursor)
  expect(cursor, '(')
  const bounds = readPair(cursor, readBound)
  return { kind: 'interval', bounds }
}

function readMoment(cursor: Cursor): Moment {
  return readMomentLiteral(cursor) ?? readProperty(cursor, 'TIMESTAMP', 'DATE', 'INTERVAL')
}

function readBound(cursor: Cursor): Moment | null {
  skip(cursor)
  const position = cursor.position()
  const written = readQuoted(cursor)
  if (written === undefined) return readMoment(cursor)
  if (written === '..' || written === '') return null
  return toMoment(/t/i.test(written) ? 'time' : 'date', written, position)
}

function expect(cursor: Cursor, text: string): void {
  skip(cursor)
  if (!cursor.accept(text)) throw cursor.fail(`"${text}"`)
}

/** Consumes a keyword if it comes next as a whole word. Reports whether it did. */
function keyword(cursor: Cursor, word: Word): boolean {
  skip(cursor)
  return cursor.match(patterns[word]) !== undefined
}

function skip(cursor: Cursor): void {
  cursor.match(/\s*/y)
}
