/** Returns the offset of a zone from UTC in milliseconds, at a moment in epoch milliseconds. */
export type OffsetAt = (moment: number) => number

/** Restores the "+" of an offset behind a time: an unencoded one in a query arrives as a space. */
export function withPlus(written: string): string {
  return written.replace(/([T ]\d\d:\d\d[\d:.]*) (?=\d\d:?\d\d$)/i, '$1+')
}

const quarterHour = 900_000

/**
 * Finds a zone of the IANA time zone database. Clocks change on a quarter of an hour, except in a
 * few zones in some years, such as at 00:01 in St. John's (1987 to 2011): there the old offset
 * stays until the next quarter.
 * @param most limit on cached offsets
 * @returns undefined if there is no such zone
 */
export function findRegion(
  zone: string,
  most: number,
): { readonly name: string; readonly offsetAt: OffsetAt } | undefined {
  const clock = clockOf(zone)
  if (clock === undefined) return undefined
  const known = new Map<number, number>()
  const offsetAt = (moment: number) => {
    const quarter = Math.floor(moment / quarterHour)
    const remembered = known.get(quarter)
    if (remembered !== undefined) return remembered
    if (known.size >= most) known.clear()
    const offset = readOffset(clock, quarter * quarterHour)
    known.set(quarter, offset)
    return offset
  }
  return { name: clock.resolvedOptions().timeZone, offsetAt }
}

/**
 * Returns the moments at which a clock of the zone shows a local time, given as if it were UTC: two
 * in the hour that is repeated in autumn. A time that is skipped in spring is moved forward by the
 * length of the gap.
 */
export function toMoments(local: number, offsetAt: OffsetAt): readonly [number, number?] {
  // Offsets before and after any change nearby.
  const [before, after] = [offsetAt(local - 86_400_000), offsetAt(local + 86_400_000)]
  const [early, late] = [local - before, local - after]
  const [isEarly, isLate] = [offsetAt(early) === before, offsetAt(late) === after]
  if (isEarly && isLate && early !== late) return [early, late]
  return [isLate && !isEarly ? late : early]
}

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Parses `longOffset`, which is `GMT`, `GMT+02:00` or, long ago, `GMT+00:49:56`. */
function readOffset(clock: Intl.DateTimeFormat, moment: number): number {
  const name = clock.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+\u2212-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (sign === undefined || sign === '+' ? size : -size) * 1000
}
