import { LanguageError, createCursor } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { Clause, Expression } from './ast.ts'
import { readAlias } from './lexer.ts'
import { readValue } from './read-value.ts'
import type { Quoting } from './read-value.ts'
import { splitHead } from './split-head.ts'

/** Beyond these nothing is read at all. */
export const limits = { length: 8000, depth: 20, clauses: 200 } as const

type Reading = {
  readonly cursor: Cursor
  readonly source: string
  readonly quoting: Quoting
  readonly counted: { clauses: number }
}

/**
 * Reads a `where` (interface 4.9, reference 2.3): where = item , { "," , item }
 * @param start where it begins in the source, which it ends
 * @throws LanguageError with position, what was expected and a hint
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
  const head = splitHead(source.slice(offset), offset)
  cursor.accept(source.slice(offset, offset + head.length))
  const operatorAt = offset + head.operatorAt
  return {
    kind: 'clause',
    operand: { name, path: head.path, span: { start, end: operatorAt - 1 } },
    operator: head.operator.toLowerCase(),
    value: readValue(cursor, quoting),
    span: { start: operatorAt, end: offset + head.length - 1 },
  }
}
