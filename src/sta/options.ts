import { AppError } from '../errors/index.ts'
import { createCursor, LanguageError } from '../lang/index.ts'
import type { Cursor } from '../lang/index.ts'
import { expect, limits, parseFilter, readPath, skip } from './filter/grammar.ts'
import type { Expression, Path } from './filter/grammar.ts'

/** Query options of a set of entities (OGC 18-088, 9.3). */
export type Options = {
  readonly filter?: Expression
  readonly select?: readonly Path[]
  readonly orderby?: readonly Order[]
  readonly expand?: readonly Expand[]
  readonly top?: number
  readonly skip?: number
  readonly count?: boolean
}

export type Order = { readonly path: Path; readonly direction: 'ascending' | 'descending' }

/** A relation whose entities are shown inside each entity. */
export type Expand = {
  readonly name: string
  readonly position: number
  readonly options: Options
  /** The options as the client wrote them, for the link to the remaining entities. */
  readonly written: readonly string[]
}

/** Texts of the parameters that have a grammar. */
export type WrittenOptions = {
  readonly $filter?: string
  readonly $select?: string
  readonly $orderby?: string
  readonly $expand?: string
}

/**
 * Parses the query options.
 * @throws AppError HUB-QRY-018 with the position
 */
export function readOptions(written: WrittenOptions): Options {
  const { $filter, $select, $orderby, $expand } = written
  return {
    ...($filter === undefined ? {} : { filter: readWhole('$filter', $filter, parseFilter) }),
    ...($select === undefined ? {} : { select: readWhole('$select', $select, readSelect) }),
    ...($orderby === undefined ? {} : { orderby: readWhole('$orderby', $orderby, readOrder) }),
    ...($expand === undefined ? {} : { expand: readWhole('$expand', $expand, readExpands) }),
  }
}

type Read<Found> = (cursor: Cursor, source: string) => Found

function readWhole<Found>(name: string, text: string, read: Read<Found>): Found {
  return rejecting(name, () => {
    if (text.length > limits.length) {
      const message = `The text is longer than ${String(limits.length)} characters.`
      throw new LanguageError(message, { position: limits.length })
    }
    const cursor = createCursor(text)
    const found = read(cursor, text)
    skip(cursor)
    if (!cursor.isAtEnd()) throw cursor.fail('the end')
    return found
  })
}

/**
 * Reports a LanguageError as an error in this parameter.
 * @throws AppError HUB-QRY-018
 */
export function rejecting<Result>(parameter: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, position, expected, hint } = error
    const advice = hint === undefined ? {} : { hint }
    throw new AppError('HUB-QRY-018', `${parameter}: ${message}`, {
      issues: [{ parameter, detail: message, position, expected, ...advice }],
      ...advice,
    })
  }
}

/** Parses `select = path { "," path }`. */
const readSelect = (cursor: Cursor) => readList(cursor, readPath)

/** Parses `orderby = path [ "asc" | "desc" ] { "," … }`. */
const readOrder = (cursor: Cursor) =>
  readList(cursor, (): Order => {
    const path = readPath(cursor)
    const word = cursor.match(/\s+(?:asc|desc)(?![\w/])/y)?.trim()
    return { path, direction: word === 'desc' ? 'descending' : 'ascending' }
  })

/** Maximum number of items in a list. Nobody reads a page with more of them. */
const maxItems = 20

function readList<Item>(cursor: Cursor, read: (cursor: Cursor) => Item): readonly Item[] {
  const items: Item[] = []
  do {
    if (items.length === maxItems) throw cursor.fail(`at most ${String(maxItems)} items`)
    items.push(read(cursor))
    skip(cursor)
  } while (cursor.accept(','))
  return items
}

/** Parses `expand = name { "/" name } [ "(" option { ";" option } ")" ] { "," … }`. */
function readExpands(cursor: Cursor, source: string): readonly Expand[] {
  const expands = readList(cursor, () => {
    const { names, position } = readPath(cursor)
    const [last = '', ...outer] = names.toReversed()
    const named: Expand = { name: last, position, ...readNested(cursor, source) }
    // `A/B(…)` is short for `A($expand=B(…))`.
    const around = (inner: Expand, name: string): Expand => {
      return { name, position, options: { expand: [inner] }, written: [] }
    }
    return outer.reduce(around, named)
  })
  return merged(expands)
}

/** Merges expansions of the same relation into one that has the options of all of them. */
function merged(expands: readonly Expand[]): readonly Expand[] {
  const byName = Map.groupBy(expands, ({ name }) => name)
  return [...byName.values()].map((alike) =>
    alike.reduce((one, other) => {
      const inner = [...(one.options.expand ?? []), ...(other.options.expand ?? [])]
      const expand = inner.length === 0 ? {} : { expand: merged(inner) }
      const options = { ...one.options, ...other.options, ...expand }
      return { ...one, options, written: [...one.written, ...other.written] }
    }),
  )
}

type Nested = Pick<Expand, 'options' | 'written'>

function readNested(cursor: Cursor, source: string): Nested {
  skip(cursor)
  if (!cursor.accept('(')) return { options: {}, written: [] }
  let options: Options = {}
  const written: string[] = []
  do {
    skip(cursor)
    const start = cursor.position()
    const read = readOption(cursor, source)
    options = { ...options, ...read }
    if (read.expand === undefined) written.push(source.slice(start, cursor.position()).trim())
    skip(cursor)
  } while (cursor.accept(';'))
  expect(cursor, ')')
  return { options, written }
}

/** Prints the options of an expansion as query parameters, without `$skip`. */
export function parametersOf({ written, options }: Expand): readonly string[] {
  const own = written.filter((one) => !one.startsWith('$skip='))
  const { expand } = options
  return expand === undefined ? own : [...own, `$expand=${expand.map(printExpand).join(',')}`]
}

function printExpand(expand: Expand): string {
  const parameters = parametersOf(expand)
  return parameters.length === 0 ? expand.name : `${expand.name}(${parameters.join(';')})`
}

const names = ['$filter', '$select', '$orderby', '$expand', '$top', '$skip', '$count'] as const

function readOption(cursor: Cursor, source: string): Options {
  const name = names.find((one) => cursor.accept(`${one}=`))
  switch (name) {
    case undefined:
      throw cursor.fail(...names.map((one) => `${one}=`))
    case '$filter':
      return { filter: parseFilter(cursor) }
    case '$select':
      return { select: readSelect(cursor) }
    case '$orderby':
      return { orderby: readOrder(cursor) }
    case '$expand':
      return { expand: readExpands(cursor, source) }
    case '$count':
      return { count: readFlag(cursor) }
    case '$top':
      return { top: readNumber(cursor) }
    case '$skip':
      return { skip: readNumber(cursor) }
  }
}

function readFlag(cursor: Cursor): boolean {
  const written = cursor.match(/(?:true|false)(?!\w)/y)
  if (written === undefined) throw cursor.fail('true', 'false')
  return written === 'true'
}

function readNumber(cursor: Cursor): number {
  const written = cursor.match(/\d{1,9}(?!\w)/y)
  if (written === undefined) throw cursor.fail('a whole number')
  return Number(written)
}
