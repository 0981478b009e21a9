/** A type as type lists show it: its code in records, and its names. */
export type TypeRow = {
  readonly code: string
  /** As it is written for people who know the code. */
  readonly key: string
  readonly names: { readonly de: string; readonly it: string; readonly en: string }
}

/** Rows from their codes and names in German, Italian and English; the place of a row is its bit. */
export function typeRows(
  rows: Readonly<Record<string, readonly [de: string, it: string, en: string]>>,
): readonly TypeRow[] {
  return Object.entries(rows).map(([code, [de, it, en]]) => ({
    code,
    key: code,
    names: { de, it, en },
  }))
}

/** The same for codes in lower case, whose key is the German name. */
export function tagRows(rows: Parameters<typeof typeRows>[0]): readonly TypeRow[] {
  return typeRows(rows).map((row) => ({ ...row, key: row.names.de }))
}

/** What the bits of a mask stand for, from 1 upwards. */
export const maskCodes = (rows: readonly TypeRow[]): readonly string[] =>
  rows.map(({ code }) => code)
