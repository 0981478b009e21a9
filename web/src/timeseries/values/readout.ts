import type { Series, Value } from '../series/series.ts'
import { gapAfter } from './resolution.ts'
import { nearest } from './samples.ts'
import type { Shown } from './values.svelte.ts'
import { formatDateTime } from '../../language/index.ts'
import { writeValue, words } from '../words.ts'

/** The value of a series at the cursor, with its own time. */
type Reading = {
  readonly series: Series
  readonly time: number
  readonly value: Value
  readonly low: number | undefined
  readonly high: number | undefined
}

/** Returns the value of each series at a time. Series with a gap there are left out. */
export function readAt(
  at: number,
  series: readonly Series[],
  { samples, resolutions }: Pick<Shown, 'samples' | 'resolutions'>,
): readonly Reading[] {
  return series.flatMap((one) => {
    const own = samples.get(one.key)
    const resolution = resolutions.get(one.key)
    if (own === undefined || resolution === undefined) return []
    const gap = gapAfter(resolution, one.step)
    const index = nearest(own.times, at, gap === 0 ? Number.POSITIVE_INFINITY : gap)
    const [time, value] = [own.times[index], own.values[index]]
    if (time === undefined || value === undefined) return []
    return [{ series: one, time, value, low: own.low?.[index], high: own.high?.[index] }]
  })
}

/** Returns all times at which any series has a value, sorted. */
export function timesOf(
  series: readonly Series[],
  { samples }: Pick<Shown, 'samples'>,
): readonly number[] {
  const all = series.flatMap(({ key }) => samples.get(key)?.times ?? [])
  return [...new Set(all)].sort((a, b) => a - b)
}

const shape = {
  dateStyle: undefined,
  timeStyle: undefined,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** Formats a time with its zone, because one hour of the year occurs twice. */
export function writeMoment(time: number, zone: string): string {
  return formatDateTime(new Date(time), { ...shape, timeZone: zone })
}

/** Formats the range of an aggregated value; undefined if there is none. */
export function writeBand({ low, high, series }: Reading): string | undefined {
  if (low === undefined || high === undefined || low === high) return undefined
  return words().chart.range(writeValue(low), writeValue(high, series.unit))
}

/** Joins all values at the cursor into a sentence for screen readers. */
export function speakReadings(time: number, readings: readonly Reading[], zone: string): string {
  const said = readings.map((reading) => {
    const band = writeBand(reading)
    const value = writeValue(reading.value, reading.series.unit)
    const name = `${reading.series.station}, ${reading.series.dataType}`
    return `${name}: ${value}${band === undefined ? '' : ` (${band})`}`
  })
  return [writeMoment(time, zone), ...(said.length === 0 ? [words().chart.noValue] : said)].join(
    '; ',
  )
}
