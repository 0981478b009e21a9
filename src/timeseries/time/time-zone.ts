/**
 * Where clocks are: the offset from UTC in milliseconds, at a moment in epoch milliseconds. Its name is
 * one of the IANA time zone database, or an offset such as `+02:00`.
 */
export type TimeZone =
  | { readonly kind: 'utc'; readonly name: 'UTC' }
  | {
      readonly kind: 'offset'
      readonly name: string
      readonly offsetAt: (moment: number) => number
    }

export const utc: TimeZone = { kind: 'utc', name: 'UTC' }

const minute = 60_000
const quarterHour = 15 * minute

/** Offsets kept for each zone of a request: some 30 years of quarter hours. */
const rememberedOffsets = 1_000_000

/**
 * Reads a time zone: an IANA name, `UTC`, `Z`, `GMT`, or an offset such as `+02:00`, `+0200`, `+2` and
 * `UTC+2` (reference 2.8). An unescaped `+` of a query string arrives as a blank and is understood.
 * @returns undefined when there is no such zone
 */
export function parseTimeZone(written: string): TimeZone | undefined {
  const name = written.trim()
  if (/^(z|utc|gmt|ut)$/i.test(name)) return utc
  return parseOffset(name) ?? parseOffset(written.replace(' ', '+').trim()) ?? findRegion(name)
}

const offsetPattern = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d\d))?(?::?(\d\d))?$/i

/** Java's limit, and wider than any zone ever was. */
const widestOffset = 18 * 60 * minute

function parseOffset(written: string): TimeZone | undefined {
  const [, sign, hours, minutes = '0', seconds = '0'] = offsetPattern.exec(written) ?? []
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const size = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds) * 1000
  if (size > widestOffset) return undefined
  const offset = sign === '-' ? -size : size
  return { kind: 'offset', name: nameOffset(offset), offsetAt: () => offset }
}

/** Seconds, which no zone has had for a hundred years, are in no name: there it is UTC. */
function nameOffset(offset: number): string {
  const minutes = Math.abs(offset) / minute
  if (!Number.isInteger(minutes)) return utc.name
  const [hour, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${offset < 0 ? '-' : '+'}${hour ?? ''}:${rest ?? ''}`
}

function findRegion(name: string): TimeZone | undefined {
  const clock = clockOf(name)
  if (clock === undefined) return undefined
  const known = new Map<number, number>()
  return {
    kind: 'offset',
    name: clock.resolvedOptions().timeZone,
    offsetAt: (moment) => {
      // Clocks are changed on a quarter of an hour, but for a few zones in some years, such as at 00:01 in
      // St. John's (1987 to 2011): there the old offset is told up to the next quarter.
      const quarter = Math.floor(moment / quarterHour)
      const remembered = known.get(quarter)
      if (remembered !== undefined) return remembered
      if (known.size >= rememberedOffsets) known.clear()
      const offset = readOffset(clock, quarter * quarterHour)
      known.set(quarter, offset)
      return offset
    },
  }
}

function clockOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** `longOffset` is written `GMT`, `GMT+02:00` or, long ago, `GMT+00:49:56`. */
function readOffset(clock: Intl.DateTimeFormat, moment: number): number {
  const parts = clock.formatToParts(moment)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const zone = parseOffset(name.replace('\u2212', '-'))
  return zone?.kind === 'offset' ? zone.offsetAt(moment) : 0
}
