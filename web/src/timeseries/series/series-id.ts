import type { Codec } from '../../address/index.ts'

/** At most so many series are shown at once. */
export const mostSeries = 12

/** Stands for every data type of a station. */
export const everyType = '*'

/** What is measured at one station; `period` only where that alone tells two series apart. */
export type SeriesId = {
  readonly type: string
  readonly code: string
  readonly dataType: string
  readonly period?: number
}

/** `ParkingStation/P1/occupied`, or `ParkingStation/P1` for all that is measured there. */
export function parseSeries(text: string): SeriesId | undefined {
  const [type = '', code = '', dataType = everyType, period = ''] = text.split('/').map(decode)
  if (type === '' || code === '' || dataType === '') return undefined
  const seconds = Number(period)
  return /^\d+$/.test(period) ? { type, code, dataType, period: seconds } : { type, code, dataType }
}

/** As it stands in the address: a slash and a per cent sign in a name are escaped. */
export function printSeries({ type, code, dataType, period }: SeriesId): string {
  const parts = [type, code, dataType].map((part) => part.replace(/[%/]/g, encodeURIComponent))
  return [...parts, ...(period === undefined ? [] : [String(period)])].join('/')
}

/** The parameter of the address that they stand in. */
export const seriesParameter = 'series'

/** The series of the address: `?series=A/1/x&series=A/2/x`. What cannot be read is left out. */
export const seriesCodec: Codec<readonly SeriesId[]> = {
  read: (values) =>
    [...new Set(values)]
      .map(parseSeries)
      .filter((id) => id !== undefined)
      .slice(0, mostSeries),
  write: (ids) => ids.map(printSeries),
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
