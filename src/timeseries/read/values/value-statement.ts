import { all, empty, join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { TextRow } from '../../../storage/index.ts'
import type { ChosenSeries } from './choose-series.ts'
import { arrayOf } from './packing.ts'
import type { Packed } from './packing.ts'
import type { Stages } from './stages.ts'

/** What a read of values knows: where they stand, of which series, and what is packed of each. */
export type ValueReading = {
  readonly values: Stages['values']
  readonly series: ChosenSeries
  readonly packed: readonly Packed[]
}

/** Reads some values, packed: of each time or series itself, how many there are, and their columns. */
export type Load = (cut: Cut, grouping: Grouping) => Promise<readonly TextRow[]>

/** Runs a statement of packed values; `columns` follow the group, its count and what is its own. */
export type Run = (statement: Sql, columns: number) => Promise<readonly TextRow[]>

/** Which values one statement reads. */
type Cut = {
  /** Of these series only; undefined for all of the reading. */
  readonly ids: readonly string[] | undefined
  /** The first time, and the first one that is too late; undefined for no bound. */
  readonly from: string | undefined
  readonly until: string | undefined
  /** Values at most: the first of them in the order of the grouping, but of several `ids` any. */
  readonly limit: number
}

/** By what values are packed, what else tells them apart, and in which order they are cut. */
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
 * Reads values, packed. Which index serves is decided here and not left to statistics: see
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

/** By the index of the times; without a range the whole relation, which then has a row for each series. */
function inTime({ values, series }: ValueReading, cut: Cut): Sql {
  const conditions = [...boundsOf(cut), ...isChosen(series), values.where]
  return sql`(select ${valueColumns} from ${values.relation} as m ${values.joins} where ${all(conditions)}) as m`
}

/**
 * By the primary key: of one series in the order of time, of several in no order. So a limit on what is
 * read of several, before it is put in order, both stops where there is too much and keeps PostgreSQL from
 * reading in the order of time instead, past the values of all other series. What such a limit has cut is
 * of no use.
 */
function ofSeries({ values }: ValueReading, cut: Cut, ids: readonly string[]): Sql {
  const conditions = [isOf(ids), ...boundsOf(cut), values.where]
  const some = ids.length === 1 ? empty : sql`limit ${cut.limit}::bigint`
  return sql`
    (select ${valueColumns} from ${values.relation} as m ${values.joins}
      where ${all(conditions)} ${some}) as m`
}

function isOf(ids: readonly string[]): Sql {
  const [only] = ids
  return ids.length === 1 && only !== undefined
    ? sql`m.series_id = ${only}::integer`
    : sql`m.series_id = any(${arrayOf(ids)}::integer[])`
}

/** What a value consists of. */
export const valueColumns = sql`
  m.series_id, m.valid_time, m.transaction_time, m.provenance_id, m.number, m.text, m.json`

function boundsOf({ from, until }: Cut): readonly Sql[] {
  return [
    ...(from === undefined ? [] : [sql`m.valid_time >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`m.valid_time < ${until}::timestamptz`]),
  ]
}

/** An element of an array is found at once, however many there are. */
function isChosen({ share }: ChosenSeries): readonly Sql[] {
  return share.kind === 'some' ? [sql`(${share.marks}::boolean[])[m.series_id]`] : []
}

/** The condition that chooses series where all of them are read, whatever the order. */
export function chosenIn(series: ChosenSeries): readonly Sql[] {
  return series.share.kind === 'few' ? [isOf(series.ids)] : isChosen(series)
}

/** How many values a statement has read. */
export function countOf(groups: readonly TextRow[]): number {
  return groups.reduce((sum, [, count]) => sum + Number(count), 0)
}
