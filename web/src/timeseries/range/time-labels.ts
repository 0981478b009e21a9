import { dateTimeFormat } from '../../language/intl.ts'
import { day } from './range.ts'

/** Writes the ticks of a time axis: only as much of each as tells it from the one before. */
export function labelTicks(
  ticks: readonly number[],
  zone: string,
  locale: string,
): readonly string[] {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const one = dateTimeFormat(locale, { timeZone: zone, ...options })
    return (time: number) => one.format(time)
  }
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = format({ day: 'numeric', month: 'short' })
  const monthName = format({ month: 'short' })
  const year = format({ year: 'numeric' })
  const smallest = Math.min(...ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)))
  const [first, second] =
    ticks.length < 2 || smallest < 0.9 * day
      ? [clock, date]
      : smallest < 27 * day
        ? [date, year]
        : smallest < 360 * day
          ? [monthName, year]
          : [year, undefined]
  return ticks.map((tick, index) => {
    const before = ticks[index - 1]
    const isNew = before === undefined || second?.(before) !== second?.(tick)
    return second !== undefined && isNew ? `${first(tick)}\n${second(tick)}` : first(tick)
  })
}
