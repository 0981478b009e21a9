/**
 * A time as the hub writes it, `2026-11-22 10:40:00.000+0100`, in milliseconds; browsers differ in
 * whether they read this form.
 */
export function parseTime(text: string): number {
  const match =
    /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(?:Z|([+-])(\d\d):?(\d\d))?$/.exec(
      text,
    )
  if (match === null) return Number.NaN
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second = '0',
    fraction = '0',
    sign,
    zoneHour,
    zoneMinute,
  ] = match
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, '0')),
  )
  const offset = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000
  return sign === '-' ? local + offset : local - offset
}

/** A moment for the path of a request, without fractions that nobody requested. */
export function printTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}
