import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { parseTime } from '../time/parse-time.ts'
import type { List, Literal, Scalar } from './ast.ts'
import { readWritten } from './lexer.ts'
import type { Written } from './lexer.ts'

/** Whether texts may come without quotes: they may for clients of the public system (decision D42). */
export type Quoting = 'required' | 'optional'

/** Items of one list; an address has hardly room for more. */
export const longestList = 1000

/** value = list | literal */
export function readValue(cursor: Cursor, quoting: Quoting): Literal | List {
  return cursor.accept('(') ? readList(cursor, quoting) : readLiteral(cursor, quoting)
}

/** list = "(" , literal , { "," , literal } , ")" — called behind the parenthesis */
function readList(cursor: Cursor, quoting: Quoting): List {
  const start = cursor.position() - 1
  const items = [readLiteral(cursor, quoting)]
  while (cursor.accept(',')) {
    if (items.length === longestList) throw cursor.fail(`at most ${longestList} items`)
    items.push(readLiteral(cursor, quoting))
  }
  if (!cursor.accept(')')) throw cursor.fail('","', '")"')
  return { kind: 'list', items, span: { start, end: cursor.position() } }
}

function readLiteral(cursor: Cursor, quoting: Quoting): Literal {
  const start = cursor.position()
  const written = readWritten(cursor)
  const scalar = toScalar(written)
  if (scalar.kind === 'text' && !written.isQuoted && quoting === 'required') {
    throw unquoted(scalar.value, start)
  }
  return { ...scalar, span: { start, end: cursor.position() } }
}

/** The type of a value; quoted ones are texts whatever they look like (reference 2.3 rule 5). */
function toScalar({ text, isQuoted }: Written): Scalar {
  if (isQuoted) return { kind: 'text', value: text }
  if (text === 'null') return { kind: 'null' }
  if (/^(true|false)$/i.test(text)) return { kind: 'boolean', value: /^true$/i.test(text) }
  const number = parseNumber(text)
  if (number !== undefined) return { kind: 'number', value: number }
  const time = parseTime(text)
  return time === undefined ? { kind: 'text', value: text } : { kind: 'time', value: time }
}

/** Blanks around it and a mark of its size behind it change nothing (reference 2.3 rule 5). */
const numberPattern = /^\s*([+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[df]?|NaN|Infinity))\s*$/i

/** @returns undefined for what is no number */
export function parseNumber(text: string): number | undefined {
  const [, written] = numberPattern.exec(text) ?? []
  if (written === undefined || /^[+-]?(nan|infinity)$/.test(written)) return undefined
  const value = Number(/n/.test(written) ? written : written.replace(/[df]$/i, ''))
  // There is one zero.
  return Number.isNaN(value) && !/NaN$/.test(written) ? undefined : value + 0
}

function unquoted(text: string, position: number): LanguageError {
  const quoted = quote(text)
  return new LanguageError(
    `A text must stand in double quotes at position ${position}: ${quoted}.`,
    { position, expected: [quoted], hint: `Write ${quoted}` },
  )
}

/** A text as it stands in an expression. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"']/g, '\\$&')}"`
}
