import type { Codec } from '../../address/index.ts'
import type { Freshness } from '../../api/index.ts'
import { readTime } from '../../language/zoned.ts'

export type Kind = 'number' | 'text' | 'json'

/** A value of any kind. */
export type Value = number | string | object

/** What is known of a series before its values are read. */
export type Series = SeriesId & {
  /** Tells it apart from all others, also in the address. */
  readonly key: string
  readonly station: string
  readonly unit: string
  readonly description: string
  readonly kind: Kind
  /** Milliseconds between values, as declared or observed; undefined where nobody knows. */
  readonly step: number | undefined
  readonly state: Freshness
  readonly latest: { readonly time: number; readonly value: Value } | undefined
}

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

/** A time as the hub writes it, `2026-11-22 10:40:00.000+0100`, in milliseconds. */
export function parseTime(text: string): number {
  return readTime(text)?.getTime() ?? Number.NaN
}

/** A moment for the path of a request, without fractions that nobody requested. */
export function printTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

/** A series that is there, with what tells it apart from all others. */
type Known = SeriesId & { readonly key: string }

/** The keys of what is chosen; what is not known yet, or not there, stands as the address writes it. */
export function keysOf(ids: readonly SeriesId[], known: readonly Known[]): readonly string[] {
  return [...new Set(ids.flatMap((id) => keysOfOne(id, known)))]
}

/**
 * What is chosen once its keys are `wanted`. Whatever nobody touched stays as it was written: the address
 * is what a person chose, also while its series are on their way. `*` is taken apart only where one of its
 * series is taken out.
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
