import { CsvError, parse } from 'csv-parse/sync'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { exactly } from '../../../lang/schemas.ts'
import { DecodeFault, charset, shown } from './text.ts'
import type { Decoding } from './text.ts'

/** Dialect of a CSV: the options of the step `csv` and of tables. */
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
 * Parses rows in which each column has a fixed position, to objects of trimmed strings. A column
 * beyond the end of its line is an empty string. Blank lines are skipped.
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

/** Yields lines one by one, because a body of nothing but newlines would be millions of strings. */
function* linesOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}

/**
 * Parses the rows of a CSV text (RFC 4180 and its dialects): each to an object of strings by
 * column, or to a list of strings if there is no header. A broken row is reported and left out.
 * @throws DecodeFault for a header that cannot be read or names a column twice, and for more than
 *   1,000 unreadable rows
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
      // Without the names of the columns, no row below could be interpreted.
      if (header === true && toObject === undefined)
        throw new DecodeFault(`the header cannot be read: ${reason}`, { step: 'csv', line })
      decoding.reportBroken(brokenRow(reason, line))
    },
  })
  return rows
}

const brokenRow = (reason: string, line: number) => new DecodeFault(reason, { step: 'csv', line })

/** Returns a function that converts a row to an object, or to a reason why it is broken. */
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
    // From entries, because a column named `__proto__` is a column like any other.
    return Object.fromEntries(entriesOf(names, row))
  }
}

/**
 * Yields the fields of a row by name. A column without a name, such as after a trailing delimiter,
 * is left out.
 */
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
  /** @param lineOf returns the line in which the row ends, counted from 1 */
  readonly row: (row: Row, lineOf: () => number) => void
  /** @param line line in which the unreadable row starts, counted from 1 */
  readonly broken: (reason: string, line: number) => void
}

/**
 * Maximum number of unreadable rows. Each costs as much as a hundred valid ones, and more of them
 * indicate a wrong dialect.
 */
const maxUnreadable = 1000

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Reads the rows of a CSV text one after another, and skips blank lines and comments. A row that
 * cannot be read, such as one with an unclosed quote, is reported once. It is then uncertain what
 * is inside quotes, so reading continues with the line after the one where that row starts: no
 * other row is lost with it.
 * @throws DecodeFault for more than 1,000 unreadable rows, and whatever `reader` throws
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
    if (unreadable === maxUnreadable) throw wrongDialect(stopped.reason)
    const began = rowAfter(bytes, stopped.end, dialect)
    reader.broken(stopped.reason, lineAt(began))
    start = lineAfter(bytes, began)
  }
}

type Reading = {
  readonly dialect: CsvDialect
  /** @param end offset of the first byte after the row and its line ending */
  readonly row: (row: Row, end: number) => void
}

/**
 * Reads rows until one is unreadable. Returns why, and where the last row before it ends; undefined
 * if all rows could be read.
 */
function readUntilFault(bytes: Buffer, start: number, { dialect, row: report }: Reading) {
  const { delimiter = ',', quote = '"', escape, comment, trim = true } = dialect
  let end = start
  try {
    parse(bytes.subarray(start), {
      delimiter,
      quote,
      ...(quote === false ? {} : { escape: escape ?? quote }),
      ...(comment === undefined ? {} : { comment, comment_no_infix: true }),
      // Not only the first one that is found, because a file may be concatenated from several.
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

/** Returns where the next row starts, after blank lines and comments. */
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

/** Returns where the next line starts. Lines end like rows: with CRLF, LF or CR. */
function lineAfter(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && !endsLine(bytes, at)) at += 1
  return Math.min(at + 1, bytes.length)
}

/**
 * Returns a function that returns the line of a byte, counted from 1. Its offsets must not
 * decrease.
 */
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
    `more than ${String(maxUnreadable)} rows cannot be read (${reason}); is the dialect right?`,
  )

/**
 * Returns an error message without its quotes of the payload, and without the line, which is
 * reported separately.
 */
const reasonOf = (message = 'this is not valid CSV') =>
  message.replace(/ at line \d+.*$/s, '').slice(0, 200)
