const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the offset of a time zone from UTC at a time, in milliseconds. */
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

/**
 * Converts a local time in a zone to UTC. A local time that the clocks skip becomes the time after
 * the gap.
 */
export function fromLocal(local: number, zone: string): number {
  const guess = local - offsetAt(local, zone)
  const time = local - offsetAt(guess, zone)
  return time + offsetAt(time, zone) === local ? time : Math.max(time, guess)
}

/** Converts a time to the local time in a zone, encoded as if it were UTC. */
export function toLocal(time: number, zone: string): number {
  return time + offsetAt(time, zone)
}

/** Formats a time for a `datetime-local` input: `2026-11-22T09:00`. NaN becomes an empty text. */
export function toLocalText(time: number, zone: string): string {
  if (Number.isNaN(time)) return ''
  return new Date(toLocal(time, zone)).toISOString().slice(0, 16)
}

/** Parses the value of a `datetime-local` input. Returns NaN if it is empty or invalid. */
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

/** Reports whether a time has a zone or offset. */
export function hasZone(text: string): boolean {
  return /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10))
}

/**
 * Parses a time as the hub and its providers write it: `2026-11-22 08:27:00.000+0000`,
 * `2026-11-22T09:00:00`. A time without a zone is parsed as UTC and must be displayed in UTC, so
 * that it shows unchanged.
 */
export function readTime(text: string): Date | undefined {
  const day = text.length === 10 ? `${text}T00:00:00` : text
  const written = day.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  const time = new Date(hasZone(day) ? written : `${written}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
