import { day, hour, minute } from './range.ts'
import type { Window } from './range.ts'
import { fromLocal, offsetAt, toLocal } from '../../language/zoned.ts'
import { dateTimeFormat } from '../../language/intl.ts'

type Step =
  | { readonly unit: 'time'; readonly length: number }
  | { readonly unit: 'month'; readonly months: number }

const steps: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ unit: 'time', length: count * minute }) as const),
  ...[1, 2, 3, 6, 12].map((count) => ({ unit: 'time', length: count * hour }) as const),
  ...[1, 2, 7, 14].map((count) => ({ unit: 'time', length: count * day }) as const),
  ...[1, 3, 6, 12, 24, 60, 120, 300, 600].map((months) => ({ unit: 'month', months }) as const),
]

const month = 30.4 * day
const sizeOf = (step: Step) => (step.unit === 'time' ? step.length : step.months * month)

/** A Monday, from which weeks are counted. */
const monday = Date.UTC(2000, 0, 3)

/** Returns the ticks of the time axis, about `most` of them, at round local times of the zone. */
export function ticksOf(window: Window, zone: string, most: number): readonly number[] {
  const wanted = (window.to - window.from) / Math.max(1, most)
  const step = steps.find((one) => sizeOf(one) >= wanted) ?? { unit: 'month', months: 1200 }
  const ticks =
    step.unit === 'month'
      ? monthTicks(window, zone, step.months)
      : step.length <= hour
        ? evenTicks(window, zone, step.length)
        : localTicks(window, zone, step.length)
  return ticks.filter((tick) => tick >= window.from && tick <= window.to)
}

/** Up to one hour, ticks are equidistant, even when the clocks change. */
function evenTicks({ from, to }: Window, zone: string, length: number): readonly number[] {
  const offset = offsetAt(from, zone)
  const first = Math.ceil((from + offset) / length) * length - offset
  return count(first, to, length)
}

/** Longer steps follow the local time. */
function localTicks({ from, to }: Window, zone: string, length: number): readonly number[] {
  const origin = length >= 7 * day ? monday : 0
  const local = toLocal(from, zone)
  const first = Math.floor((local - origin) / length) * length + origin
  return count(first, toLocal(to, zone) + length, length).map((time) => fromLocal(time, zone))
}

function monthTicks({ from, to }: Window, zone: string, months: number): readonly number[] {
  const start = new Date(toLocal(from, zone))
  const index = start.getUTCFullYear() * 12 + start.getUTCMonth()
  const first = Math.floor(index / months) * months
  const number = Math.ceil((to - from) / (months * month)) + 2
  return Array.from({ length: number }, (_, place) =>
    fromLocal(firstOf(first + place * months), zone),
  )
}

/**
 * Returns the first day of a month, counted from January of year 0. `Date.UTC` would treat year 0
 * as 1900.
 */
function firstOf(index: number): number {
  return new Date(0).setUTCFullYear(Math.floor(index / 12), index % 12, 1)
}

function count(first: number, last: number, length: number): readonly number[] {
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / length) + 1) },
    (_, index) => first + index * length,
  )
}

/**
 * Formats the ticks of a time axis. Each label contains only what distinguishes it from the
 * previous one.
 */
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
