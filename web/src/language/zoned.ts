const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export function offsetAt(time: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name))
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - Math.floor(time / 1000) * 1000
}

/** The moment at which the clocks of a zone show a time; what they skip is the moment after it. */
export function fromLocal(local: number, zone: string): number {
  const guess = local - offsetAt(local, zone)
  const time = local - offsetAt(guess, zone)
  return time + offsetAt(time, zone) === local ? time : Math.max(time, guess)
}

/** What the clocks of a zone show at a moment, as if it were UTC. */
export function toLocal(time: number, zone: string): number {
  return time + offsetAt(time, zone)
}

/** A moment as a field for a local time has it: `2026-11-22T09:00`; empty for none. */
export function toLocalText(time: number, zone: string): string {
  if (Number.isNaN(time)) return ''
  return new Date(toLocal(time, zone)).toISOString().slice(0, 16)
}

/** The moment that such a field names; NaN for none. */
export function fromLocalText(text: string, zone: string): number {
  const local = Date.parse(`${text}Z`)
  return Number.isNaN(local) ? local : fromLocal(local, zone)
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

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
