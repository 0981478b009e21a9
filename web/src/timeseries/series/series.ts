import type { Codec } from '../../address/index.ts'
import type { Freshness } from '../../api/index.ts'
import { readTime } from '../../language/zoned.ts'

export type Kind = 'number' | 'text' | 'json'

/** A value of any kind. */
export type Value = number | string | object

/** Description of a series, without its values. */
export type Series = SeriesId & {
  /** Unique key of the series, as URLs spell it. */
  readonly key: string
  readonly station: string
  readonly unit: string
  readonly description: string
  readonly kind: Kind
  /** Milliseconds between values, as declared or observed; undefined if unknown. */
  readonly step: number | undefined
  readonly state: Freshness
  readonly latest: { readonly time: number; readonly value: Value } | undefined
}

/** Maximum number of series in a chart. */
export const mostSeries = 12

/** Stands for all data types of a station. */
export const everyType = '*'

/** A data type of a station. `period` is set only if two series differ by nothing else. */
export type SeriesId = {
  readonly type: string
  readonly code: string
  readonly dataType: string
  readonly period?: number
}

/**
 * Parses `ParkingStation/P1/occupied`, or `ParkingStation/P1` for all data types of the station.
 */
export function parseSeries(text: string): SeriesId | undefined {
  const [type = '', code = '', dataType = everyType, period = ''] = text.split('/').map(decode)
  if (type === '' || code === '' || dataType === '') return undefined
  const seconds = Number(period)
  return /^\d+$/.test(period) ? { type, code, dataType, period: seconds } : { type, code, dataType }
}

/** Formats a series for the URL. Slashes and per cent signs in names are encoded. */
export function printSeries({ type, code, dataType, period }: SeriesId): string {
  const parts = [type, code, dataType].map((part) => part.replace(/[%/]/g, encodeURIComponent))
  return [...parts, ...(period === undefined ? [] : [String(period)])].join('/')
}

/** URL parameter of the series. */
export const seriesParameter = 'series'

/** Codec of the series in the URL: `?series=A/1/x&series=A/2/x`. Invalid values are ignored. */
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

/** Parses a time of the hub, `2026-11-22 10:40:00.000+0100`, to milliseconds since 1970. */
export function parseTime(text: string): number {
  return readTime(text)?.getTime() ?? Number.NaN
}

/** Formats a time for the path of a request, without zero milliseconds. */
export function printTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

/** An existing series with its unique key. */
type Known = SeriesId & { readonly key: string }

/**
 * Returns the keys of the chosen series. Series that are not loaded or do not exist keep the key
 * from the URL.
 */
export function keysOf(ids: readonly SeriesId[], known: readonly Known[]): readonly string[] {
  return [...new Set(ids.flatMap((id) => keysOfOne(id, known)))]
}

/**
 * Returns the choice after an edit to the keys `wanted`. Unchanged entries keep their spelling in
 * the URL, even while their series are loading. A `*` is only expanded if one of its series is
 * removed.
 */
export function editIds(
  ids: readonly SeriesId[],
  known: readonly Known[],
  wanted: readonly string[],
): readonly SeriesId[] {
  const before = keysOf(ids, known)
  const kept = ids.flatMap((id) => {
    const keys = keysOfOne(id, known)
    const rest = keys.filter((key) => wanted.includes(key))
    return rest.length === keys.length ? [id] : parseAll(rest)
  })
  return [...kept, ...parseAll(wanted.filter((key) => !before.includes(key)))]
}

function keysOfOne(id: SeriesId, known: readonly Known[]): readonly string[] {
  const parts = known.filter((one) => isPart(one, id)).map(({ key }) => key)
  return parts.length === 0 ? [printSeries(id)] : parts
}

function isPart(one: Known, { type, code, dataType, period }: SeriesId): boolean {
  if (one.type !== type || one.code !== code) return false
  if (period !== undefined && one.period !== undefined && one.period !== period) return false
  return dataType === everyType || one.dataType === dataType
}

function parseAll(keys: readonly string[]): readonly SeriesId[] {
  return keys.map(parseSeries).filter((id) => id !== undefined)
}
