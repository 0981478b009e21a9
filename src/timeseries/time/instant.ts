/**
 * A moment in one spelling: ISO 8601 in UTC with six decimals, what PostgreSQL keeps. Two spellings of
 * one moment become the same text.
 * @param written ISO 8601 with a zone and up to nine decimals
 * @returns undefined for what is no moment of the years 0001 to 9999 UTC
 */
export function toInstant(written: string): string | undefined {
  const milliseconds = Date.parse(written.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  if (Number.isNaN(milliseconds)) return undefined
  const iso = new Date(milliseconds).toISOString()
  // Years outside of four digits are printed with a sign.
  if (!/^\d{4}-/.test(iso) || iso.startsWith('0000')) return undefined
  const beyondMilliseconds = /\.\d{3}(\d{1,3})/.exec(written)?.[1] ?? ''
  return `${iso.slice(0, -1)}${beyondMilliseconds.padEnd(3, '0')}Z`
}
