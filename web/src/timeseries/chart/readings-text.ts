import { formatDateTime } from '../../language/index.ts'
import type { Reading } from '../values/readout.ts'
import { writeValue } from '../words-of-values.ts'
import { words } from '../words.ts'

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

/** A moment as the chart says it: with the zone, since one hour of the year comes twice. */
export function writeMoment(time: number, zone: string): string {
  return formatDateTime(new Date(time), { ...shape, timeZone: zone })
}

/** The band around a value, if there is one. */
export function writeBand({ low, high, series }: Reading): string | undefined {
  if (low === undefined || high === undefined || low === high) return undefined
  return words().chart.range(writeValue(low), writeValue(high, series.unit))
}

/** All readings in a sentence, for ears. */
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
