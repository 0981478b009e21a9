/**
 * A moment in one spelling: ISO 8601 in UTC with six decimals, what PostgreSQL keeps. Two spellings of
 * one moment become the same text.
 * @param written ISO 8601 with a zone and up to nine decimals
 * @returns undefined for what is no moment of the years 0001 to 9999 UTC
 */
export function toInstant(written: string): string | undefined {
  const isUtc = written.endsWith('Z')
  const milliseconds = Date.parse(isUtc ? written : written.replace(offsetWithoutColon, '$1:$2'))
  if (Number.isNaN(milliseconds)) return undefined
  const iso = new Date(milliseconds).toISOString()
  // Years outside of four digits are printed with a sign and six digits.
  if (iso.length !== longest || iso.startsWith('0000')) return undefined
  const beyond = written.length > longest ? (/\.\d{3}(\d{1,3})/.exec(written)?.[1] ?? '') : ''
  return `${iso.slice(0, -1)}${beyond.padEnd(3, '0')}Z`
}

const offsetWithoutColon = /([+-]\d\d)(\d\d)$/

/** Characters of a moment in UTC with milliseconds. */
const longest = 24
