import { byteOrderMark, toCsv } from '../../http/index.ts'
import type { FieldType } from '../catalogue/field.ts'
import { readerOf } from '../read/members.ts'
import type { Style } from '../read/members.ts'
import type { Format } from './format.ts'

/**
 * A table of RFC 4180: a column for each selected member, whether or not a row has it. Times are those
 * of the JSON answer, texts stand as they are, objects and arrays are JSON, and null is an empty cell.
 */
export const csv: Format = {
  name: 'csv',
  mediaTypes: ['text/csv'],
  summary: 'A table; `select` chooses its columns',
  structures: ['flat'],
  needsPlace: false,
  open: ({ columns, style, bom }) => {
    const cells = columns.map((column) => ({
      toCell: cellOf(column.type, style),
      read: readerOf(column),
    }))
    const header = toCsv([columns.map(({ key }) => key)])
    return {
      begin: () => (bom ? `${byteOrderMark}${header}` : header),
      rows: (rows) =>
        toCsv(
          rows
            .map((row) =>
              cells.map(({ toCell, read }) => {
                const value = read(row)
                return value === null || value === undefined ? null : toCell(value)
              }),
            )
            // As in the other formats, a row of which nothing is shown is left out (reference 1.12).
            .filter((row) => row.some((cell) => cell !== null)),
        ),
      end: () => '',
    }
  },
}

/** The text of a cell, from a value as the database printed it. */
function cellOf(type: FieldType, { printTime }: Style): (value: string) => string {
  switch (type) {
    case 'time':
      return printTime
    case 'boolean':
      return (value) => (value === 't' ? 'true' : 'false')
    case 'json':
    case 'value':
      return textOfJson
    case 'text':
    case 'integer':
    case 'bigint':
    case 'number':
    case 'point':
    case 'geometry':
      return (value) => value
  }
}

/** A text without its quotes; everything else as the JSON it is, numbers to the last digit. */
function textOfJson(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json
}
