/** What stands for a character in the text format of COPY (documentation of PostgreSQL). */
const escapes: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

/**
 * Rows in the text format of COPY as texts of a composite type (documentation of PostgreSQL, section 8.16.2).
 * @param rows each with a line break at its end
 * @param places for each field of the type, the column of the rows; -1 for none
 */
export function toRecords(rows: Buffer, places: readonly number[]): readonly string[] {
  return rows
    .toString()
    .slice(0, -1)
    .split('\n')
    .map((row) => {
      const columns = row.split('\t').map(toField)
      return `(${places.map((place) => columns[place] ?? '').join(',')})`
    })
}

/** Nothing at all is null. */
function toField(written: string): string {
  if (written === String.raw`\N`) return ''
  const value = written.includes('\\')
    ? written.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
    : written
  return `"${value.replace(/["\\]/g, '$&$&')}"`
}
