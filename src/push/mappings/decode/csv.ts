import { CsvError, parse } from 'csv-parse/sync'
import type { CsvDialect } from './csv-dialect.ts'
import { DecodeFault, shown } from './fault.ts'
import type { Decoding } from './limits.ts'

/**
 * Rows of a CSV text (RFC 4180 and its dialects): an object of texts by column each, or a list of
 * texts without a header. A row that is broken is told and left out.
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
        if (typeof made === 'string') decoding.tellBroken(brokenRow(made, lineOf()))
        else rows.push(made)
      }
    },
    broken: (reason, line) => {
      // Without its names, no row below it would mean what it says.
      if (header === true && toObject === undefined)
        throw new DecodeFault(`the header cannot be read: ${reason}`, { step: 'csv', line })
      decoding.tellBroken(brokenRow(reason, line))
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
 * cannot be read, such as one with a quote that nothing closes, is told once. What is inside of quotes is
 * then open, so reading goes on with the line below the one where that row began: no row is lost with it.
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
function readUntilFault(bytes: Buffer, start: number, { dialect, row: tell }: Reading) {
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
        if (row.length > 1 || row[0]?.trim() !== '') tell(row, end)
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

/** @returns the line of a byte, counted from 1; it must not be before the one asked for last */
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
const reasonOf = (message = 'this is no CSV') =>
  message.replace(/ at line \d+.*$/s, '').slice(0, 200)
