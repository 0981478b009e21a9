import type { CsvDialect } from './csv-dialect.ts'
import { readRows } from './csv-rows.ts'
import type { Row } from './csv-rows.ts'
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
