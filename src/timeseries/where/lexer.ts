import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { adviseTime, parseTime, timeForms } from '../time.ts'

/** A range of the source: the offsets of its first character and after its last one. */
export type Span = { readonly start: number; readonly end: number }

/** A single value. Its type follows from its notation (reference 2.3, decision D42). */
export type Scalar =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  /** The value is ISO 8601 in UTC. */
  | { readonly kind: 'time'; readonly value: string }

/** A value in the source. `written` is its text without quotes and backslashes. */
export type Literal = Scalar & { readonly span: Span; readonly written: string }

export type List = {
  readonly kind: 'list'
  readonly items: readonly Literal[]
  readonly span: Span
}

/** `smetadata.outlets.0.maxPower`: a name of the interface, and the path into its JSON. */
export type Operand = {
  readonly name: string
  readonly path: readonly string[]
  readonly span: Span
}

export type Clause = {
  readonly kind: 'clause'
  readonly operand: Operand
  /** In lower case. Whether it exists is known only with the types of its operands. */
  readonly operator: string
  readonly value: Literal | List
  /** Position of the operator. */
  readonly span: Span
}

export type Expression =
  | Clause
  | {
      readonly kind: 'and' | 'or'
      readonly of: readonly Expression[]
      readonly span: Span
    }

/** A value as written, before its type is known. */
type Written = { readonly text: string; readonly isQuoted: boolean }

/**
 * Reads the name at the start of a clause, such as `scode`: letters and underscores (reference
 * 2.3).
 */
export function readAlias(cursor: Cursor): string | undefined {
  return cursor.match(/[\p{L}_]+/uy)
}

/**
 * value = '"' , { character | "\" any } , '"'
 *       | '\"' , { character | "\" any } , '\"'
 *       | { character | "\" any }
 *
 * A backslash makes the next character an ordinary one. Quotes protect commas and parentheses
 * (decision D42); an apostrophe is written with a backslash everywhere (reference 2.3 rule 2).
 */
function readWritten(cursor: Cursor): Written {
  if (cursor.accept('"')) return { text: readQuoted(cursor), isQuoted: true }
  const printed = cursor.match(quotedAsPrinted)
  return printed === undefined
    ? { text: readBare(cursor), isQuoted: false }
    : { text: printed.slice(2, -2).replace(/\\([^])/gu, '$1'), isQuoted: true }
}

/** Matches a text with a backslash before each quote, as the interface prints an example (4.8). */
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

/** Returns the error for a special character where only an ordinary one is allowed. */
function strayCharacter(cursor: Cursor, ...expected: readonly string[]): LanguageError {
  const { message, position } = cursor.fail(...expected)
  const stray = cursor.match(/["'()]/y)
  const hint =
    stray === undefined
      ? 'Put a text in double quotes: "…"'
      : `A ${stray} inside a text is written \\${stray}`
  return new LanguageError(message, { position, expected, hint })
}

/** Whether texts need quotes. They are optional for clients of the public system (decision D42). */
export type Quoting = 'required' | 'optional'

/** Maximum number of items in a list. A URL hardly has room for more. */
export const maxListLength = 1000

/** value = list | literal */
export function readValue(cursor: Cursor, quoting: Quoting): Literal | List {
  return cursor.accept('(') ? readList(cursor, quoting) : readLiteral(cursor, quoting)
}

/** list = "(" , literal , { "," , literal } , ")" — called after the opening parenthesis */
function readList(cursor: Cursor, quoting: Quoting): List {
  const start = cursor.position() - 1
  const items = [readLiteral(cursor, quoting)]
  while (cursor.accept(',')) {
    if (items.length === maxListLength) throw cursor.fail(`at most ${maxListLength} items`)
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
  return { ...scalar, span: { start, end: cursor.position() }, written: written.text }
}

/** Determines the type of a value. Quoted values are always texts (reference 2.3 rule 5). */
function toScalar({ text, isQuoted }: Written): Scalar {
  if (isQuoted) return { kind: 'text', value: text }
  if (text === 'null') return { kind: 'null' }
  if (/^(true|false)$/i.test(text)) return { kind: 'boolean', value: /^true$/i.test(text) }
  const number = parseNumber(text)
  if (number !== undefined) return { kind: 'number', value: number }
  const time = parseTime(text)
  return time === undefined ? { kind: 'text', value: text } : { kind: 'time', value: time }
}

/** Matches a number. Surrounding spaces and a size suffix are ignored (reference 2.3 rule 5). */
const numberPattern = /^\s*([+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[df]?|NaN|Infinity))\s*$/i

/**
 * Parses a number.
 * @returns undefined for anything that is not a number
 */
export function parseNumber(text: string): number | undefined {
  const [, written] = numberPattern.exec(text) ?? []
  if (written === undefined || /^[+-]?(nan|infinity)$/.test(written)) return undefined
  const value = Number(/n/.test(written) ? written : written.replace(/[df]$/i, ''))
  // Adding 0 turns -0 into 0.
  return Number.isNaN(value) && !/NaN$/.test(written) ? undefined : value + 0
}

function unquoted(text: string, position: number): LanguageError {
  if (text === '') {
    return new LanguageError(`A value is missing at position ${position}.`, {
      position,
      expected: ['""'],
      hint: 'A condition looks like scode.eq."P1" or mvalue.gt.5; an empty text is written ""',
    })
  }
  const [, inner] = /^[“”„«»‘’](.*)[“”«»‘’]$/su.exec(text) ?? []
  const quoted = quote(inner ?? text)
  const isTime = /^\d{4}-\d\d-\d\d/.test(text)
  const fault = isTime ? `${quoted} is not a valid time, and a text` : 'A text'
  const shown = isTime ? '' : `: ${quoted}`
  const hint = inner === undefined ? `Write ${quoted}` : `Write ${quoted}, with straight quotes`
  return new LanguageError(`${fault} must be in double quotes at position ${position}${shown}.`, {
    position,
    expected: isTime ? [...timeForms, quoted] : [quoted],
    hint: isTime ? adviseTime(text) : hint,
  })
}

/** Quotes a text for an expression. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"']/g, '\\$&')}"`
}
