import { AppError } from '../../errors/index.ts'
import { LanguageError, createCursor, hintAt } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { keyAdvice } from '../catalogue/find-field.ts'

/** An entry of a `select`: `scode`, `smetadata.city`, `sdatatypes`. */
export type Name = {
  readonly kind: 'name'
  /** The original spelling, which is the key in a flat response. */
  readonly text: string
  readonly name: string
  readonly path: readonly string[]
  readonly position: number
}

export const aggregates = ['min', 'max', 'avg', 'sum', 'count'] as const
export type Aggregate = (typeof aggregates)[number]

/** Aggregates that only time buckets support, because they depend on the order of values. */
const orderedAggregates = ['first', 'last'] as const
type OrderedAggregate = (typeof orderedAggregates)[number]

/**
 * `max(mvalue)`: one value per group of rows with the same values of the plain entries (decision
 * D44).
 */
export type Call = {
  readonly kind: 'call'
  readonly text: string
  readonly aggregate: Aggregate | OrderedAggregate
  readonly of: Name
  readonly position: number
}

/** `count`: the number of rows in a group. */
export type RowCount = { readonly kind: 'rows'; readonly text: string; readonly position: number }

export type Entry = Name | Call | RowCount

/** A parsed `select`: everything, or some entries. */
export type Select =
  | { readonly kind: 'all' }
  | { readonly kind: 'some'; readonly entries: readonly Entry[] }

/** An error in a `select` and its position. */
type Complaint = {
  readonly detail: string
  readonly position: number
  readonly expected: readonly string[]
  readonly hint?: string | undefined
}

/** Returns the error for a `select` that cannot be shown (decision D1). */
export function rejectedSelect({ detail, position, expected, hint }: Complaint): AppError {
  const advice = hint === undefined ? {} : { hint }
  return new AppError('HUB-QRY-009', `select: ${detail}`, {
    issues: [{ parameter: 'select', detail, position, expected, ...advice }],
    ...advice,
  })
}

/** Limits of a `select`. Beyond them it is rejected. */
const limits = { length: 4000, entries: 200 } as const

/**
 * Parses a `select` (reference 2.2): select = entry , { "," , entry } , [ "," ]
 *
 * Spaces around entries are ignored, and a star among them selects everything.
 * @throws LanguageError with the position, what was expected and a hint
 */
export function parseSelect(source: string): Select {
  if (source.length > limits.length) {
    const expected = [`at most ${limits.length} characters`]
    throw new LanguageError(`The list is longer than ${limits.length} characters.`, {
      position: limits.length,
      expected,
    })
  }
  const cursor = createCursor(source)
  const entries: Entry[] = []
  let isAll = false
  do {
    skipBlanks(cursor)
    if (cursor.isAtEnd() && entries.length > 0) break
    if (cursor.accept('*')) isAll = true
    else entries.push(readEntry(cursor))
    skipBlanks(cursor)
    if (entries.length > limits.entries) throw cursor.fail(`at most ${limits.entries} fields`)
  } while (cursor.accept(','))
  if (!cursor.isAtEnd()) throw strayCharacter(cursor, entries.at(-1))
  if (!isAll) return { kind: 'some', entries: withoutRepeats(entries) }
  const call = entries.find(({ kind }) => kind !== 'name')
  if (call === undefined) return { kind: 'all' }
  throw new LanguageError('A star cannot be combined with an aggregate.', {
    position: call.position,
    expected: ['the fields to group by'],
  })
}

function strayCharacter(cursor: Cursor, last: Entry | undefined): LanguageError {
  const { message, position, expected } = cursor.fail('","', 'the end')
  const isPath = last?.kind === 'name' && last.path.length > 0
  return new LanguageError(message, { position, expected, ...(isPath ? { hint: keyAdvice } : {}) })
}

/** entry = name | aggregate , "(" , name , ")" | "count" , [ "(*)" ] */
function readEntry(cursor: Cursor): Entry {
  const position = cursor.position()
  const rows = cursor.match(/count(?:\(\s*\*\s*\))?(?![\p{L}\p{N}_.(-])/uy)
  if (rows !== undefined) return { kind: 'rows', text: rows, position }
  const name = readName(cursor)
  if (!cursor.accept('(')) return name
  const aggregate = [...aggregates, ...orderedAggregates].find((known) => known === name.text)
  if (aggregate === undefined) throw unknownAggregate(name)
  return readCall(cursor, aggregate, position)
}

function readCall(cursor: Cursor, aggregate: Call['aggregate'], position: number): Entry {
  skipBlanks(cursor)
  const of = readName(cursor)
  skipBlanks(cursor)
  if (!cursor.accept(')')) throw cursor.fail('")"')
  return { kind: 'call', text: `${aggregate}(${of.text})`, aggregate, of, position }
}

/** name = word , { "." , ( word | number ) } */
function readName(cursor: Cursor): Name {
  const position = cursor.position()
  const text = cursor.match(/[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/uy)
  if (text === undefined) throw cursor.fail('the name of a field', '"*"')
  const [name = '', ...path] = text.split('.')
  return { kind: 'name', text, name, path, position }
}

function skipBlanks(cursor: Cursor): void {
  cursor.match(/\s+/y)
}

function withoutRepeats(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [entry.text, entry])).values()]
}

function unknownAggregate({ text, position }: Name): LanguageError {
  return new LanguageError(`There is no function ${text} at position ${position}.`, {
    position,
    expected: aggregates,
    ...hintAt(text, aggregates),
  })
}
