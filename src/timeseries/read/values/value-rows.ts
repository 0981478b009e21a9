import type { TextRow } from '../../../storage/index.ts'
import type { ChosenSeries } from './choose-series.ts'
import { unpackPlain, unpackTimes } from './packing.ts'
import type { Packed } from './packing.ts'

/** Where in the row of a value stands what every row has; its packed columns follow. */
export const at = { time: 0, station: 1, dataType: 2, period: 3, packed: 4 } as const

/** A row for each series, as far as its values have in common. */
export function rowsOfSeries(series: ChosenSeries): readonly TextRow[] {
  return series.ids.map((_id, place) => rowOf(null, describedBy(series, place), [[], place]))
}

/** Turns what the database packed into rows in the order of the answer. */
export type Unpack = (groups: readonly TextRow[]) => TextRow[]

/** Of values that are packed by their time: those of one time come in the order of their series. */
export function unpackByTime(series: ChosenSeries, packed: readonly Packed[]): Unpack {
  let { ids: lastIds, placed } = lastPlaced.get(series.ids) ?? { ids: '', placed: [] }
  return (groups) => {
    const rows: TextRow[] = []
    for (const [time = null, , ids, ...columns] of groups) {
      const own = unpackColumns(columns, packed)
      // Mostly the same series have a value at one time and at the next.
      if (ids !== lastIds) {
        lastIds = ids ?? ''
        placed = place(series, unpackPlain(lastIds))
        lastPlaced.set(series.ids, { ids: lastIds, placed })
      }
      for (const { described, index } of placed) rows.push(rowOf(time, described, [own, index]))
    }
    return rows
  }
}

/** Of values that are packed by their series: those of one station and data type in the order of time. */
export function unpackBySeries(series: ChosenSeries, packed: readonly Packed[]): Unpack {
  const rowsOf = ([id, , times, ...columns]: TextRow): TextRow[] => {
    const own = unpackColumns(columns, packed)
    const described = describedBy(series, series.placeOf.get(id ?? '') ?? 0)
    return unpackTimes(times ?? '').map((time, index) => rowOf(time, described, [own, index]))
  }
  return (groups) => {
    const placeOf = ([id]: TextRow) => series.placeOf.get(id ?? '') ?? 0
    const placed = groups.toSorted((one, other) => placeOf(one) - placeOf(other))
    const lists = Map.groupBy(placed, (group) => keyOf(series, placeOf(group)))
    return [...lists.values()].flatMap((members) => {
      const rows = members.flatMap(rowsOf)
      return members.length === 1 ? rows : rows.sort(byTime)
    })
  }
}

type Described = {
  readonly station: string
  readonly dataType: string
  readonly period: string
}

type Own = readonly [columns: readonly (readonly (string | null)[])[], index: number]

/** @param index of the value among those of its pack */
function rowOf(
  time: string | null,
  { station, dataType, period }: Described,
  [own, index]: Own,
): TextRow {
  const row = new Array<string | null>(at.packed + own.length)
  row[at.time] = time
  row[at.station] = station
  row[at.dataType] = dataType
  row[at.period] = period
  for (let column = 0; column < own.length; column++) {
    row[at.packed + column] = own[column]?.[index] ?? null
  }
  return row
}

function unpackColumns(columns: TextRow, packed: readonly Packed[]) {
  return packed.map(({ unpack }, index) => unpack(columns[index] ?? ''))
}

function describedBy({ stations, dataTypes, periods }: ChosenSeries, place: number): Described {
  return {
    station: stations[place] ?? '',
    dataType: dataTypes[place] ?? '',
    period: periods[place] ?? '',
  }
}

/** Where in the order each station and data type begins: their series stand in one list of the tree. */
export function listsOf(series: ChosenSeries): readonly number[] {
  return series.ids.flatMap((_id, place) =>
    place > 0 && keyOf(series, place) === keyOf(series, place - 1) ? [] : [place],
  )
}

function keyOf({ stations, dataTypes }: ChosenSeries, place: number): string {
  return `${stations[place] ?? ''} ${dataTypes[place] ?? ''}`
}

/** Times of PostgreSQL, in years of four digits, are ordered as texts are; the sort is stable. */
function byTime([one]: TextRow, [other]: TextRow): number {
  if (one === other) return 0
  return (one ?? '') < (other ?? '') ? -1 : 1
}

/** Latest values mostly come packed as they did for the last request that chose the same series. */
const lastPlaced = new WeakMap<
  readonly string[],
  { readonly ids: string; readonly placed: readonly Placed[] }
>()

type Placed = { readonly described: Described; readonly index: number }

/**
 * What describes some series and where they stood, in the order of the answer. Series that were not there
 * when the others were chosen have no place in it and are left out. Numbers are sorted many times as fast
 * as objects.
 */
function place(series: ChosenSeries, ids: readonly string[]): Placed[] {
  const count = ids.length
  const sortable = Float64Array.from(ids, (id, index) => {
    const found = series.placeOf.get(id)
    return found === undefined ? Number.NaN : found * count + index
  })
  // NaN is sorted to the end.
  return Array.from(sortable.sort()).flatMap((number) =>
    Number.isNaN(number)
      ? []
      : [{ described: describedBy(series, Math.floor(number / count)), index: number % count }],
  )
}
