import { CsvError, parse } from 'csv-parse/sync'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { charset } from './charset.ts'
import { DecodeFault, shown } from './fault.ts'
import type { Decoding } from './limits.ts'

export const CsvDialect = Type.Object(
  {
    charset: Type.Optional(charset),
    delimiter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8,
        description: 'Between two fields; default ,',
      }),
    ),
    quote: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 1 }), Type.Literal(false)], {
        description:
          'Around a field that holds a delimiter or a line break; default "; false: none',
      }),
    ),
    escape: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1,
        description: 'Before a quote inside of a quoted field; default: the quote again',
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
        description: 'What a line begins with that is none of the data',
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
  },
  { additionalProperties: false },
)
export type CsvDialect = Static<typeof CsvDialect>

type Row = readonly string[]

/** Rows that cannot be read; each costs as much as a hundred good ones. More are a wrong dialect. */
const mostUnreadable = 1000

/**
 * Rows of a CSV text (RFC 4180 and its dialects): an object of texts by column each, or a list of
 * texts without a header. A row that is broken is told and left out.
 * @throws DecodeFault for a header that names a column twice, and for more than 1,000 unreadable rows
 */
export function decodeCsv(text: string, dialect: CsvDialect, decoding: Decoding): unknown[] {
  const { header = true } = dialect
  const rows: unknown[] = []
  let toObject = header === true || header === false ? undefined : createObject(header, dialect)
  parseRows(text, dialect, {
    row: (row, line) => {
      if (header === false) rows.push(row)
      else if (toObject === undefined) toObject = createObject(row, dialect)
      else {
        const made = toObject(row)
        if (typeof made === 'string') decoding.tellBroken(brokenRow(made, line))
        else rows.push(made)
      }
    },
    broken: (reason, line) => {
      decoding.tellBroken(brokenRow(reason, line))
    },
  })
  return rows
}

const brokenRow = (reason: string, line: number) => new DecodeFault(reason, { step: 'csv', line })

type Reader = {
  /** @param line where the row ends, counted from 1 */
  readonly row: (row: Row, line: number) => void
  readonly broken: (reason: string, line: number) => void
}

function parseRows(text: string, dialect: CsvDialect, reader: Reader): void {
  let unreadable = 0
  const { delimiter = ',', quote = '"', escape, comment, skip = 0, trim = true } = dialect
  try {
    parse(text, {
      delimiter,
      quote,
      ...(quote === false ? {} : { escape: escape ?? quote }),
      ...(comment === undefined ? {} : { comment, comment_no_infix: true }),
      from_line: skip + 1,
      trim,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_record: (row: Row, { lines }) => {
        if (row.length > 1 || row[0]?.trim() !== '') reader.row(row, lines)
        return null
      },
      on_skip: (error) => {
        unreadable += 1
        if (unreadable > mostUnreadable) throw wrongDialect(reasonOf(error?.message))
        const line: unknown = error?.['lines']
        reader.broken(reasonOf(error?.message), typeof line === 'number' ? line : 0)
        return undefined
      },
    })
  } catch (error) {
    if (error instanceof CsvError) throw new DecodeFault(reasonOf(error.message))
    throw error
  }
}

const wrongDialect = (reason: string) =>
  new DecodeFault(
    `more than ${String(mostUnreadable)} rows cannot be read (${reason}); is the dialect right?`,
  )

/** Without what it quotes of the payload, and without the line, which stands beside it. */
const reasonOf = (message = 'this is no CSV') =>
  message.replace(/ at line \d+.*$/s, '').slice(0, 200)

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
