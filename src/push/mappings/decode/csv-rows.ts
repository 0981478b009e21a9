import { CsvError, parse } from 'csv-parse/sync'
import type { CsvDialect } from './csv-dialect.ts'
import { DecodeFault } from './fault.ts'

export type Row = readonly string[]

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
export function readRows(text: string, dialect: CsvDialect, reader: Reader): void {
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
