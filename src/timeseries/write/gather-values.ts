import { toInstant } from '../time/instant.ts'
import { sift } from './outcome.ts'
import type { Rejection } from './outcome.ts'

/** Station code, data type, ISO time with a zone, value. */
export type MeasurementItem = readonly [string, string, string, number | string | object]

/** What the values of a series are; decided by the value itself (decision D41). */
export type Kind = 'number' | 'text' | 'json'

/** What tells the series of one message apart: station type and period are the message's. */
export type SeriesKey = {
  readonly code: string
  readonly dataType: string
  readonly kind: Kind
}

export type Value = {
  /** Position of the item in the message. */
  readonly index: number
  /** Position of its series in `series`. */
  readonly series: number
  /** As `toInstant` writes it. */
  readonly time: string
  /** JSON text for the kind `json`. */
  readonly value: number | string
}

type Gathered = {
  readonly series: readonly SeriesKey[]
  readonly values: readonly Value[]
  readonly rejected: readonly Rejection[]
}

/** Finds the distinct series of a message and puts its values into the form in which they are stored. */
export function gatherValues(items: readonly MeasurementItem[]): Gathered {
  const instants = remember(toInstant)
  const { taken, rejected } = sift(
    items.map((item, index) => ({ index, item })),
    ({ item: [, , time, value] }) => {
      if (instants(time) === undefined) {
        return { pointer: '/2', reason: 'is outside of the years 0001 to 9999' }
      }
      return typeof value === 'number' && !Number.isFinite(value)
        ? { pointer: '/3', reason: 'is no finite number' }
        : undefined
    },
  )
  const series: SeriesKey[] = []
  const places = new Map<string, number>()
  const placeOf = (key: SeriesKey) => {
    const name = `${key.kind} ${key.dataType}\u0000${key.code}`
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, series.length)
    return series.push(key) - 1
  }
  const values = taken.map(({ index, item: [code, dataType, time, value] }) => ({
    index,
    series: placeOf({ code, dataType, kind: kindOf(value) }),
    time: instants(time) ?? '',
    value: typeof value === 'object' ? JSON.stringify(value) : value,
  }))
  return { series, values, rejected }
}

function kindOf(value: number | string | object): Kind {
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' ? 'text' : 'json'
}

/** Many values of a message share their time. */
function remember<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const result = work(text)
    known.set(text, result)
    return result
  }
}
