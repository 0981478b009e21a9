/** Whether a time says in which zone it is. */
export function hasZone(text: string): boolean {
  return /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10))
}

/**
 * A time as the hub and its providers write it: `2026-11-22 08:27:00.000+0000`, `2026-11-22T09:00:00`. What
 * has no zone is read as if it were UTC, and is to be written in UTC: so it is shown as it was written.
 */
export function readTime(text: string): Date | undefined {
  const day = text.length === 10 ? `${text}T00:00:00` : text
  const written = day.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  const time = new Date(hasZone(day) ? written : `${written}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
