import { CsvError, parse } from 'csv-parse/sync'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { exactly } from '../../../lang/schemas.ts'
import { DecodeFault, charset, shown } from './text.ts'
import type { Decoding } from './text.ts'

/** How a CSV is written: the options of the step `csv`, and of tables. */
export const CsvDialect = exactly({
  charset: Type.Optional(charset),
  delimiter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8,
      description: 'Separator of fields; default ,',
    }),
  ),
  quote: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 1 }), Type.Literal(false)], {
      description: 'Around a field that holds a delimiter or a line break; default "; false: none',
    }),
  ),
  escape: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1,
      description: 'Character before a quote inside a quoted field; default: the quote again',
    }),
  ),
  header: Type.Optional(
    Type.Union([Type.Boolean(), Type.Array(Type.String({ maxLength: 255 }), { minItems: 1 })], {
      description:
        'true (default): the first row names the columns; false: rows are lists; a list: the names',
    }),
  ),
  skip: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, description: 'Lines before the first row' }),
  ),
  comment: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8,
      description: 'Beginning of the lines that are not data',
    }),
  ),
  trim: Type.Optional(
    Type.Boolean({ description: 'Whether blanks around fields are left out; default true' }),
  ),
  ragged: Type.Optional(
    Type.Boolean({
      description:
        'Whether rows may have fewer or more fields than the header; default false: they are broken',
    }),
  ),
})
export type CsvDialect = Static<typeof CsvDialect>

export const FixedWidth = exactly({
  charset: Type.Optional(charset),
  columns: Type.Record(
    Type.String({ minLength: 1, maxLength: 255 }),
    Type.Tuple([
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'First character, from 1' }),
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Last character' }),
    ]),
    { description: 'First and last character of each column, counted from 1' },
  ),
  starts: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description: 'Beginning of the lines with data; other lines are skipped',
    }),
  ),
  skip: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, description: 'Lines before the first one' }),
  ),
})
export type FixedWidth = Static<typeof FixedWidth>

/**
 * Rows of a text in which each column has its place: an object of texts without blanks around them. A
 * column that stands after the end of its line is an empty text; lines that are blank are passed over.
 */
export function decodeFixedWidth(text: string, options: FixedWidth): unknown[] {
  const { columns, starts = '', skip = 0 } = options
  const places = Object.entries(columns)
  const rows: unknown[] = []
  let line = 0
  for (const written of linesOf(text)) {
    line += 1
    if (line <= skip || written.trim() === '' || !written.startsWith(starts)) continue
    rows.push(
      Object.fromEntries(
        places.map(([name, [first, last]]) => [name, written.slice(first - 1, last).trim()]),
      ),
    )
  }
  return rows
}

/** One after the other: a body of nothing but ends of lines would be millions of texts. */
function* linesOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}

/**
 * Rows of a CSV text (RFC 4180 and its dialects): an object of texts by column each, or a list of
 * texts without a header. A broken row is reported and left out.
 * @throws DecodeFault for a header that cannot be read or names a column twice, and for more than 1,000
 *   unreadable rows
 */
export function decodeCsv(text: string, dialect: CsvDialect, decoding: Decoding): unknown[] {
  const { header = true } = dialect
  const rows: unknown[] = []
  let toObject = header === true || header === false ? undefined : createObject(header, dialect)
  readRows(text, dialect, {
    row: (row, lineOf) => {
      if (header === false) rows.push(row)
      else if (toObject === undefined) toObject = createObject(row, dialect)
      else {
        const made = toObject(row)
        if (typeof made === 'string') decoding.reportBroken(brokenRow(made, lineOf()))
        else rows.push(made)
      }
    },
    broken: (reason, line) => {
      // Without its names, no row below it would mean what it says.
      if (header === true && toObject === undefined)
        throw new DecodeFault(`the header cannot be read: ${reason}`, { step: 'csv', line })
      decoding.reportBroken(brokenRow(reason, line))
    },
  })
  return rows
}

const brokenRow = (reason: string, line: number) => new DecodeFault(reason, { step: 'csv', line })

/** @returns a function from a row to its object, or to what is wrong with it */
function createObject(names: Row, { ragged = false }: CsvDialect): (row: Row) => object | string {
  const twice = firstTwice(names)
  if (twice !== undefined) {
    throw new DecodeFault(
      `the header names the column ${shown(twice)} twice; name the columns in the dialect`,
      { step: 'csv' },
    )
  }
  return (row) => {
    if (!ragged && row.length !== names.length) {
      return `this row has ${String(row.length)} fields, the header has ${String(names.length)}`
    }
    // Entries, since a column named `__proto__` is a column like any other.
    return Object.fromEntries(entriesOf(names, row))
  }
}

/** A column without a name, such as after a last delimiter, is left out. */
function* entriesOf(names: Row, row: Row): Generator<[string, string], void, undefined> {
  for (const [index, name] of names.entries()) {
    const field = row[index]
    if (name !== '' && field !== undefined) yield [name, field]
  }
}

function firstTwice(names: Row): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => {
    if (name === '') return false
    const known = seen.has(name)
    seen.add(name)
    return known
  })
}

type Row = readonly string[]

type Reader = {
  /** @param lineOf the line where the row ends, counted from 1 */
  readonly row: (row: Row, lineOf: () => number) => void
  /** @param line where what cannot be read begins */
  readonly broken: (reason: string, line: number) => void
}

/** Rows that cannot be read; each costs as much as a hundred good ones. More are a wrong dialect. */
const mostUnreadable = 1000

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Reads the rows of a CSV text one after the other; blank lines and comments are passed over. A row that
 * cannot be read, such as one with a quote that nothing closes, is reported once. What is inside of quotes is
 * then open, so reading continues with the line below the one where that row began: no row is lost with it.
 * @throws DecodeFault for more than 1,000 unreadable rows, and what the reader throws
 */
function readRows(text: string, dialect: CsvDialect, reader: Reader): void {
  const bytes = Buffer.from(text)
  const lineAt = lineCounter(bytes)
  let start = 0
  for (let skipped = 0; skipped < (dialect.skip ?? 0); skipped += 1) start = lineAfter(bytes, start)
  for (let unreadable = 0; ; unreadable += 1) {
    const stopped = readUntilFault(bytes, start, {
      dialect,
      row: (row, end) => {
        reader.row(row, () => lineAt(end - 1))
      },
    })
    if (stopped === undefined) return
    if (unreadable === mostUnreadable) throw wrongDialect(stopped.reason)
    const began = rowAfter(bytes, stopped.end, dialect)
    reader.broken(stopped.reason, lineAt(began))
    start = lineAfter(bytes, began)
  }
}

type Reading = {
  readonly dialect: CsvDialect
  /** @param end the byte behind the row and the end of its line */
  readonly row: (row: Row, end: number) => void
}

/** @returns what cannot be read, and where the last row before it ends; undefined when all could */
function readUntilFault(bytes: Buffer, start: number, { dialect, row: report }: Reading) {
  const { delimiter = ',', quote = '"', escape, comment, trim = true } = dialect
  let end = start
  try {
    parse(bytes.subarray(start), {
      delimiter,
      quote,
      ...(quote === false ? {} : { escape: escape ?? quote }),
      ...(comment === undefined ? {} : { comment, comment_no_infix: true }),
      // Not the first that is found: a file may be put together from several.
      record_delimiter: ['\r\n', '\n', '\r'],
      trim,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (row: Row, { bytes: length }) => {
        end = start + length
        if (row.length > 1 || row[0]?.trim() !== '') report(row, end)
        return null
      },
    })
    return undefined
  } catch (error) {
    if (error instanceof CsvError) return { reason: reasonOf(error.message), end }
    throw error
  }
}

/** Where the next row begins, behind blank lines and comments. */
function rowAfter(bytes: Buffer, from: number, { comment, trim = true }: CsvDialect): number {
  let start = from
  while (start < bytes.length) {
    const end = lineAfter(bytes, start)
    const line = bytes.toString('utf8', start, end)
    const text = trim ? line.trimStart() : line
    const isComment = comment !== undefined && text.startsWith(comment)
    if (!isComment && text.trim() !== '') break
    start = end
  }
  return start
}

/** Where the line below begins. Lines end as rows do: with CRLF, LF or CR. */
function lineAfter(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && !endsLine(bytes, at)) at += 1
  return Math.min(at + 1, bytes.length)
}

/** @returns the line of a byte, counted from 1; it must not be before the last one requested */
function lineCounter(bytes: Buffer): (offset: number) => number {
  let [at, line] = [0, 1]
  return (offset) => {
    for (; at < offset; at += 1) if (endsLine(bytes, at)) line += 1
    return line
  }
}

function endsLine(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]
  return byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)
}

const wrongDialect = (reason: string) =>
  new DecodeFault(
    `more than ${String(mostUnreadable)} rows cannot be read (${reason}); is the dialect right?`,
  )

/** Without what it quotes of the payload, and without the line, which stands beside it. */
const reasonOf = (message = 'this is not valid CSV') =>
  message.replace(/ at line \d+.*$/s, '').slice(0, 200)
