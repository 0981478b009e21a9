import { stringify } from 'csv-stringify/sync'

/** Begins a table for spreadsheets that would otherwise not read it as UTF-8. */
export const byteOrderMark = '\uFEFF'

/**
 * Rows of a table of RFC 4180, with CRLF at the end of each line. Null is an empty cell; objects and
 * arrays are JSON by the library's own default.
 *
 * Cells are the data and nothing else: a text that begins with `=` or `+` stays as it is. An apostrophe
 * before it, as against formulas in spreadsheets, would spoil every telephone number.
 */
export function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}
