/** The offset of a zone from UTC in milliseconds, at a moment in epoch milliseconds. */
export type OffsetAt = (moment: number) => number

const quarterHour = 900_000

/** Offsets kept for a zone: half a year of quarter hours and more. */
const remembered = 20_000

const known = new Map<string, OffsetAt | undefined>()

/** The clock of `UTC`, of an offset such as `+01:00`, or of an IANA name; undefined when there is none. */
export function offsetOf(zone: string): OffsetAt | undefined {
  if (!known.has(zone)) {
    if (known.size > 100) known.clear()
    known.set(zone, findOffset(zone))
  }
  return known.get(zone)
}

function findOffset(zone: string): OffsetAt | undefined {
  const fixed = parseOffset(zone)
  if (fixed !== undefined) return () => fixed
  try {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    return remembering((moment) => readOffset(clock, moment))
  } catch {
    return undefined
  }
}

/** `Z`, `+02`, `+0200` and `+02:00` in milliseconds. */
export function parseOffset(text: string): number | undefined {
  if (/^(z|utc|gmt)$/i.test(text)) return 0
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^([+-])(\d\d):?(\d\d)?(?::?(\d\d))?$/.exec(text) ?? []
  if (hours === undefined || Number(hours) > 18 || Number(minutes) > 59) return undefined
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (sign === '-' ? -size : size) * 1000
}

/** Written `GMT`, `GMT+02:00` or, long ago, `GMT+00:49:56`. */
function readOffset(clock: Intl.DateTimeFormat, moment: number): number {
  const name = clock.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value
  return parseOffset((name ?? '').replace('GMT', '').replace('\u2212', '-')) ?? 0
}

/**
 * Clocks are changed on a quarter of an hour, but for a few zones in some years, such as at 00:01 in
 * St. John's (1987 to 2011): there the old offset holds up to the next quarter.
 */
function remembering(offsetAt: OffsetAt): OffsetAt {
  const offsets = new Map<number, number>()
  return (moment) => {
    const quarter = Math.floor(moment / quarterHour)
    const before = offsets.get(quarter)
    if (before !== undefined) return before
    if (offsets.size >= remembered) offsets.clear()
    const offset = offsetAt(quarter * quarterHour)
    offsets.set(quarter, offset)
    return offset
  }
}

/**
 * The moments at which a clock of the zone shows a time, given as if it were UTC: two in the hour that comes
 * twice in autumn. A time that the clocks skip in spring is moved on by what they skip.
 */
export function toMoments(local: number, offsetAt: OffsetAt): readonly [number, number?] {
  // The offsets before and after any change near by.
  const [before, after] = [offsetAt(local - 86_400_000), offsetAt(local + 86_400_000)]
  const [early, late] = [local - before, local - after]
  const [isEarly, isLate] = [offsetAt(early) === before, offsetAt(late) === after]
  if (isEarly && isLate && early !== late) return [early, late]
  return [isLate && !isEarly ? late : early]
}
