import { toInstant } from '../time/instant.ts'
import type { Fault, Rejection } from './outcome.ts'

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

export type Gathered = {
  readonly series: readonly SeriesKey[]
  readonly values: readonly Value[]
  readonly rejected: readonly Rejection[]
}

/** Finds the distinct series of a message and puts its values into the form in which they are stored. */
export function gatherValues(items: readonly MeasurementItem[]): Gathered {
  const instants = remember(toInstant)
  const series = distinctSeries()
  const values: Value[] = []
  const rejected: Rejection[] = []
  items.forEach(([code, dataType, written, value], index) => {
    const time = instants(written)
    if (time === undefined) rejected.push({ index, ...noInstant })
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      rejected.push({ index, ...noFiniteNumber })
    } else {
      const place = series.placeOf({ code, dataType, kind: kindOf(value) })
      const stored = typeof value === 'object' ? JSON.stringify(value) : value
      values.push({ index, series: place, time, value: stored })
    }
  })
  return { series: series.list, values, rejected }
}

const noInstant: Fault = { pointer: '/2', reason: 'is outside of the years 0001 to 9999' }
const noFiniteNumber: Fault = { pointer: '/3', reason: 'is no finite number' }

function distinctSeries() {
  const list: SeriesKey[] = []
  const places = new Map<string, number>()
  return {
    list,
    placeOf: (key: SeriesKey): number => {
      const name = `${key.kind} ${key.dataType}\u0000${key.code}`
      const known = places.get(name)
      if (known !== undefined) return known
      places.set(name, list.length)
      return list.push(key) - 1
    },
  }
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
