import { LanguageError, nearest } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { Expression, RawFilter, Term } from './ast.ts'
import { acceptSign, limits, openSource, readWord, skipBlanks, withHint } from './lexer.ts'
import { isTermName, parseTerm, regexesOf, termNames, termsOf } from './parse-term.ts'

const names = ['and', 'or', 'not', ...termNames]

/**
 * Reads a `rawfilter` (reference content.md 2.1, decision D35). Pure: the web page reads by it, too.
 * @throws LanguageError with position, what was expected and a hint
 */
export function readRawFilter(text: string): RawFilter {
  const cursor = openSource(text)
  skipBlanks(cursor)
  const expression = parseExpression({ cursor, counted: { terms: 0, regexes: 0 } }, 1)
  skipBlanks(cursor)
  if (!cursor.isAtEnd()) throw cursor.fail('the end')
  return { expression }
}

/** The source, and how much of what is limited was met so far. */
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

/** list = "(" expression , { "," expression } , ")" — of one expression is that expression. */
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

/** The word that stands here, and the error for it should it be no name of a function. */
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
