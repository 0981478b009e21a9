import { all, empty, join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { TextRow } from '../../../storage/index.ts'
import { longRange } from './choose-series.ts'
import type { ChosenSeries, Stages } from './choose-series.ts'
import { arrayOf, unpackPlain, unpackTimes } from './packing.ts'
import type { Packed } from './packing.ts'

/** Positions of the columns that every row of a value has. Its packed columns follow. */
export const at = { time: 0, station: 1, dataType: 2, period: 3, packed: 4 } as const

/** Unpacks groups from the database into rows in the order of the response. */
export type Unpack = (groups: readonly TextRow[]) => TextRow[]

/**
 * Unpacks values that are packed by time. Values of the same time are in the order of their series.
 */
export function unpackByTime(series: ChosenSeries, packed: readonly Packed[]): Unpack {
  const unpack = unpackPlaced(series, packed)
  return (groups) => {
    const rows: TextRow[] = []
    unpack(groups, (row) => rows.push(row))
    return rows
  }
}

/** Unpacks values that are packed by time, and passes on the position of the series of each. */
export function unpackPlaced(series: ChosenSeries, packed: readonly Packed[]) {
  const described: Described[] = []
  const describedAt = (place: number) => (described[place] ??= describedBy(series, place))
  let lastIds = ''
  let [order, count]: [Float64Array, number] = [new Float64Array(), 1]
  return (groups: readonly TextRow[], take: (row: TextRow, place: number) => unknown): void => {
    for (const [time = null, , ids, ...columns] of groups) {
      const own = unpackColumns(columns, packed)
      // Usually the same series have values at consecutive times.
      if (ids !== lastIds) {
        lastIds = ids ?? ''
        const elements = unpackPlain(lastIds)
        ;[order, count] = [orderOf(series, elements), elements.length]
      }
      for (const one of order) {
        const place = Math.floor(one / count)
        take(rowOf(time, describedAt(place), [own, one % count]), place)
      }
    }
  }
}

/**
 * Unpacks values that are packed by series. Values of the same station and data type are in the
 * order of time.
 */
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

/** @param index of the value in its pack */
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

/**
 * Returns the positions at which a new station or data type starts. Series of the same station and
 * data type share a list of the tree.
 */
export function listsOf(series: ChosenSeries): readonly number[] {
  return series.ids.flatMap((_id, place) =>
    place > 0 && keyOf(series, place) === keyOf(series, place - 1) ? [] : [place],
  )
}

function keyOf({ stations, dataTypes }: ChosenSeries, place: number): string {
  return `${stations[place] ?? ''} ${dataTypes[place] ?? ''}`
}

/**
 * Compares rows by time. PostgreSQL's times in years of four digits sort as text. The sort is
 * stable.
 */
function byTime([one]: TextRow, [other]: TextRow): number {
  if (one === other) return 0
  return (one ?? '') < (other ?? '') ? -1 : 1
}

/**
 * Returns the series in the order of the response. Each number is the position of a series,
 * multiplied by the number of ids, plus its index among the ids. Series that were added after the
 * choice have no position and are omitted. Numbers are sorted many times as fast as objects.
 */
function orderOf(series: ChosenSeries, ids: readonly string[]): Float64Array {
  const sortable = Float64Array.from(ids, (id, index) => {
    const found = series.placeOf.get(id)
    return found === undefined ? Number.NaN : found * ids.length + index
  }).sort()
  // NaN is sorted to the end.
  const end = sortable.findIndex(Number.isNaN)
  return end === -1 ? sortable : sortable.subarray(0, end)
}

/** What a query of values reads: the source of the values, their series, and the packed columns. */
export type ValueReading = {
  readonly values: Stages['values']
  readonly series: ChosenSeries
  readonly packed: readonly Packed[]
}

/**
 * Reads packed values. Each row has its time or series, the number of its values, and their
 * columns.
 */
export type Load = (cut: Cut, grouping: Grouping) => Promise<readonly TextRow[]>

/**
 * Runs a statement of packed values. In its rows, this many `columns` follow the group, its count,
 * and the array of series or times.
 */
export type Run = (statement: Sql, columns: number) => Promise<readonly TextRow[]>

/** The values that one statement reads. */
type Cut = {
  /** Reads only these series; undefined for all series of the reading. */
  readonly ids: readonly string[] | undefined
  /** Start (included) and end (excluded); undefined for no bound. */
  readonly from: string | undefined
  readonly until: string | undefined
  /**
   * Maximum number of values: the first ones in the order of the grouping, but any of them for
   * several `ids`.
   */
  readonly limit: number
}

/**
 * The column that values are packed by, the column that distinguishes them within a pack, and the
 * order in which they are cut.
 */
export const groupings = {
  byTime: { common: sql`m.valid_time`, own: sql`m.series_id`, order: sql`m.valid_time` },
  bySeries: {
    common: sql`m.series_id`,
    own: sql`m.valid_time`,
    order: sql`m.series_id, m.valid_time`,
  },
} as const

export type Grouping = keyof typeof groupings

/**
 * Selects packed values. The index to use is decided here and not left to statistics: see
 * `docs/performance.md`.
 */
export function valueStatement(reading: ValueReading, cut: Cut, grouping: Grouping): Sql {
  const { common, own, order } = groupings[grouping]
  const packed = [
    sql`count(*)`,
    sql`array_agg(${own})::text`,
    ...reading.packed.map(({ column }) => column),
  ]
  const from = cut.ids === undefined ? inTime(reading, cut) : ofSeries(reading, cut, cut.ids)
  return sql`
    select ${common}::text, ${join(packed, ', ')}
    from (select * from ${from} order by ${order} limit ${cut.limit}::bigint) as m
    group by ${common} order by ${common}`
}

/**
 * Reads by the index on times. Without a range it reads the whole relation, which then has one row
 * per series.
 */
function inTime({ values, series }: ValueReading, cut: Cut): Sql {
  const conditions = [...boundsOf(cut), ...isChosen(series), values.where]
  return sql`(select ${valueColumns} from ${values.relation} as m ${values.joins} where ${all(conditions)}) as m`
}

/**
 * Reads by the primary key: one series in the order of time, several in no order. For several, a
 * limit before they are sorted stops where there is too much, and keeps PostgreSQL from reading in
 * the order of time instead, past the values of all other series. A result that this limit has cut
 * is of no use.
 */
function ofSeries({ values }: ValueReading, cut: Cut, ids: readonly string[]): Sql {
  const conditions = [isOf(ids), ...boundsOf(cut), values.where]
  const some = ids.length === 1 ? empty : sql`limit ${cut.limit}::bigint`
  return sql`
    (select ${valueColumns} from ${values.relation} as m ${values.joins}
      where ${all(conditions)} ${some}) as m`
}

export function isOf(ids: readonly string[]): Sql {
  const [only] = ids
  return ids.length === 1 && only !== undefined
    ? sql`m.series_id = ${only}::integer`
    : sql`m.series_id = any(${arrayOf(ids)}::integer[])`
}

/** Columns of a value. */
export const valueColumns = sql`
  m.series_id, m.valid_time, m.transaction_time, m.provenance_id, m.number, m.text, m.json`

function boundsOf({ from, until }: Cut): readonly Sql[] {
  return [
    ...(from === undefined ? [] : [sql`m.valid_time >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`m.valid_time < ${until}::timestamptz`]),
  ]
}

/**
 * Returns the condition that a series is chosen. The element of an array is found directly, however
 * long the array is.
 */
function isChosen({ share }: ChosenSeries): readonly Sql[] {
  return share.kind === 'some' ? [sql`(${share.marks}::boolean[])[m.series_id]`] : []
}

/**
 * Returns the condition that chooses series if all values of a range of this length in milliseconds
 * are read, in any order.
 */
export function chosenIn(series: ChosenSeries, length: number): readonly Sql[] {
  const { kind } = series.share
  const isByKey = kind === 'few' || (kind === 'some' && length >= longRange)
  return isByKey ? [isOf(series.ids)] : isChosen(series)
}

/** Returns the number of values that a statement has read. */
export function countOf(groups: readonly TextRow[]): number {
  return groups.reduce((sum, [, count]) => sum + Number(count), 0)
}
