/** Whether a time says in which zone it is. */
export function hasZone(text: string): boolean {
  return /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10))
}

/**
 * A time as the hub and its providers write it: `2026-11-22 08:27:00.000+0000`, `2026-11-22T09:00:00`. What
 * has no zone is the time of the place, and a day begins where the reader is: so both are shown as written.
 */
export function readTime(text: string): Date | undefined {
  const day = text.length === 10 ? `${text}T00:00:00` : text
  const time = new Date(day.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** A day alone, `2026-11-22`, wherever the reader is. */
export function readDay(text: string): Date {
  return readTime(text.slice(0, 10)) ?? new Date(text)
}
