import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { area, measurementsOf, stationsOf } from '../datasets.ts'
import { startOf } from '../partitions/months.ts'
import type { Month } from '../partitions/months.ts'
import { markDaysStale, markMonthStale } from '../rollups/rollup-tables.ts'
import { findDone, momentOf, noteDeletions } from './deletions.ts'
import type { Deletable, Deletion } from './deletions.ts'
import {
  recordPastChange,
  recordStationChanges,
  recordUpserts,
  recordValueChanges,
} from './outcome.ts'
import type { Outcome, Rejection } from './outcome.ts'

export type DeletionWrite = {
  readonly stationType: string
  readonly what: Deletable
  readonly items: readonly Deletion[]
  /**
   * When the message was received. Younger data stays (decision D53). An operator deletes
   * everything.
   */
  readonly received?: Date | undefined
  /** The caller who requested the deletion, for the audit log. */
  readonly by: {
    readonly subject: string
    readonly name: string
    readonly client: string
    /** UUID of the request. */
    readonly request: string
  }
}

/** The outcome of a deletion, with the numbers of deleted records. */
export type Deleted = Outcome & {
  readonly measurements: number
  readonly series: number
  readonly stations: number
}

type Found = {
  readonly place: number
  readonly station: number | null
  readonly code: string
  readonly series: number | null
}

/**
 * Deletes measurements, series or stations, and records this in the change log and in the audit
 * log. Months that were set aside are not touched. An item that deletes nothing is accepted with a
 * warning, because its data may have been deleted before.
 */
export async function deleteTimeseries(tx: Transaction, write: DeletionWrite): Promise<Deleted> {
  const { stationType, what, items } = write
  const done = await findDone(tx, write)
  const all = await find(tx, write)
  const cold = await rejectCold(tx, write, all)
  const rejected = cold.filter(({ index }) => !done.has(index))
  const due = all.filter(({ place }) => !cold.some(({ index }) => index === place))
  const { measurements, places } = await deleteValues(tx, write, due)
  // Done again, a deletion affects nothing but what this message has stored again before it.
  const found = due.filter(({ place }) => !done.has(place) || places.has(place))
  const ids = [...new Set(found.flatMap(({ series: id }) => id ?? []))]
  const codes = [...new Set(found.flatMap(({ station, code }) => (station === null ? [] : code)))]
  if (ids.length > 0) await recordPastChange(tx, stationType)
  const series = what === 'measurements' ? [] : await findEmptySeries(tx, ids)
  const isGone = new Set(series)
  const kept = ids.filter((id) => !isGone.has(id))
  await chooseLatest(tx, write, { found, ids: kept })
  await recordValueChanges(tx, stationType, kept)
  if (what !== 'measurements') {
    await deleteLatest(tx, series)
    await deleteFrom(tx, sql`series where id`, series)
    const gone = { area, dataset: measurementsOf(stationType), kind: 'delete' } as const
    await recordChanges(tx, { ...gone, ids: series.map(String) })
  }
  const stations = what === 'stations' ? await findEmptyStations(tx, write, { due, done }) : []
  if (what === 'stations') await deleteStations(tx, stations)
  if (what === 'series') await recordUpserts(tx, stationsOf(stationType), codes)
  const counts = { measurements, series: series.length, stations: stations.length }
  const isRefused = new Set(rejected.map(({ index }) => index))
  const noted = items.filter((_, place) => !done.has(place) && !isRefused.has(place))
  await noteInAudit(tx, { ...write, items: noted }, counts)
  await noteDeletions(tx, { ...write, items: noted })
  const stored = items.length - rejected.length
  return { ...counts, stored, rejected, warnings: warningsOf(write, { all, found, places }) }
}

/** Returns the stations and series that the items name, at least one row for each item. */
function find(tx: Transaction, { stationType, items }: DeletionWrite): Promise<readonly Found[]> {
  return tx.query<Found>(sql`
    select place::integer - 1 as place, station.id as station, wanted.code, series.id as series
    from unnest(
      ${items.map(({ code }) => code)}::text[],
      ${items.map(({ dataType }) => dataType ?? null)}::text[],
      ${items.map(({ period }) => period ?? null)}::integer[])
      with ordinality as wanted (code, data_type, period, place)
    left join station on station.type = ${stationType} and station.code = wanted.code
    left join series on series.station_id = station.id
      and (wanted.period is null or series.period = wanted.period)
      and (wanted.data_type is null
        or series.data_type_id = (select id from data_type where name = wanted.data_type))
    order by place, series.id`)
}

/** Returns the series and ranges that the items name, as a relation. */
function dueOf({ items }: DeletionWrite, found: readonly Found[]): Sql {
  const due = found.flatMap(({ place, series }) =>
    series === null ? [] : [{ place, series, ...items[place] }],
  )
  return sql`unnest(
    ${due.map(({ place }) => place)}::integer[],
    ${due.map(({ series }) => series)}::integer[],
    ${due.map(({ from }) => momentOf(from) ?? '-infinity')}::timestamptz[],
    ${due.map(({ to }) => momentOf(to) ?? 'infinity')}::timestamptz[]) as due (place, series_id, since, until)`
}

/**
 * Rejects items that would change the file of a cold month. Its values are deleted together with
 * all others of their series in that month, or not at all. Values that are in the table stay there
 * until the end of the transaction.
 */
async function rejectCold(tx: Transaction, write: DeletionWrite, found: readonly Found[]) {
  const due = dueOf(write, found)
  const touched = await tx.query<{ index: number; month: string; isCut: boolean }>(sql`
    with touched as materialized (
      select place, month, used, registered > ${boundOf(write.received)} as is_younger,
        first_time < since or last_time >= until as is_cut
      from cold_month join cold_series using (month) join ${due}
        on due.series_id = cold_series.series_id and last_time >= since and first_time < until
      order by cold_series.series_id, month for update of cold_series)
    select place as index, min(month) as month, bool_or(is_cut) as "isCut" from touched
    where used is null and (is_cut or is_younger) group by place order by place`)
  const [away] = await tx.query(sql`
    select from cold_series join ${due} using (series_id) where used is null limit 1`)
  const uncovered = away === undefined ? [] : await findUncovered(tx, write, due)
  return [
    ...touched.map(({ index, month, isCut }) =>
      toRejection(index, month, isCut ? 'cuts through' : 'is older than the file of'),
    ),
    ...uncovered.map(({ index, month }) =>
      toRejection(index, month, 'makes the latest value one of'),
    ),
  ]
}

function toRejection(index: number, month: string, what: string): Rejection {
  const reason = `${what} ${month}, whose values are in a file; attach the month first (hub timeseries partitions attach ${month})`
  return { index, pointer: '', reason }
}

/**
 * Returns items that delete the latest value of a series whose newest remaining value is in a file.
 */
function findUncovered(tx: Transaction, write: DeletionWrite, due: Sql) {
  const bound = boundOf(write.received)
  // The left joins are hashed. With `exists` instead, each value would be compared with each item.
  return tx.query<{ index: number; month: string }>(sql`
    with taken as materialized (
      select place, month, cold_series.series_id, last_time
      from latest join ${due} on due.series_id = latest.series_id
        and latest.valid_time >= since and latest.valid_time < until
        and latest.transaction_time <= ${bound}
      join cold_series on cold_series.series_id = latest.series_id
      where used is null)
    select place as index, max(month) as month from taken
    where not exists (
        select from ${due}
        where due.series_id = taken.series_id and last_time >= since and last_time < until)
      and not exists (
        select from measurement as newer left join ${due} on due.series_id = newer.series_id
          and newer.valid_time >= since and newer.valid_time < until
          and newer.transaction_time <= ${bound}
        where newer.series_id = taken.series_id and newer.valid_time > last_time
          and newer.valid_time <= ${latestUntil} and due.series_id is null)
    group by place order by place`)
}

const latestUntil = sql`now() + (select latest_ahead from measurement_span)`

/**
 * Returns the series without any remaining value. A series may have values that younger messages
 * wrote.
 */
async function findEmptySeries(
  tx: Transaction,
  ids: readonly number[],
): Promise<readonly number[]> {
  const filled = await tx.query<{ id: number }>(sql`
    select distinct series_id as id from measurement where series_id = any(${ids}::integer[])`)
  const isFilled = new Set(filled.map(({ id }) => id))
  return ids.filter((id) => !isFilled.has(id))
}

type DueStations = { readonly due: readonly Found[]; readonly done: ReadonlySet<number> }

/**
 * Returns the stations without any remaining series. A station that a deletion meets again stays if
 * something younger refers to it: it may have come back after the deletion.
 */
async function findEmptyStations(
  tx: Transaction,
  { received }: DeletionWrite,
  { due, done }: DueStations,
): Promise<readonly number[]> {
  const idsOf = (found: readonly Found[]) => [
    ...new Set(found.flatMap(({ station }) => station ?? [])),
  ]
  const again = idsOf(due.filter(({ place }) => done.has(place)))
  const bound = boundOf(received)
  const empty = await tx.query<{ id: number }>(sql`
    select id from station
    where id = any(${idsOf(due)}::integer[]) and received <= ${bound}
      and not exists (select from series where station_id = station.id)
      and not (id = any(${again}::integer[]) and (
        exists (select from station as child where parent_id = station.id and received > ${bound})
        or exists (
          select from edge
          where (from_id = station.id or to_id = station.id) and received > ${bound})))`)
  return empty.map(({ id }) => id)
}

/** Returns the time of the youngest data to delete. */
function boundOf(received: Date | undefined): Sql {
  return sql`${received?.toISOString() ?? 'infinity'}::timestamptz`
}

async function deleteValues(
  tx: Transaction,
  write: DeletionWrite,
  found: readonly Found[],
): Promise<{ readonly measurements: number; readonly places: ReadonlySet<number> }> {
  const due = dueOf(write, found)
  // From now on, the table has all remaining values of these series.
  const cold = await tx.query<Cold>(sql`
    delete from cold_series using ${due}
    where cold_series.series_id = due.series_id and last_time >= since and first_time < until
    returning place, cold_series.series_id as id, month, rows, used is null as "isAway"`)
  const gone = await tx.query<Gone>(sql`
    with gone as (
      delete from measurement using ${due}
      where measurement.series_id = due.series_id
        and measurement.valid_time >= due.since and measurement.valid_time < due.until
        and measurement.transaction_time <= ${boundOf(write.received)}
      returning place, measurement.series_id, measurement.valid_time
    )
    select place, series_id as id, to_char(valid_time at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*)::integer as count
    from gone group by place, id, day order by id, day, place`)
  await markDaysStale(tx, gone)
  for (const [month, deleted] of Map.groupBy(cold, ({ month: one }) => one)) {
    const ids = deleted.map(({ id }) => id)
    await markMonthStale(tx, startOf(month), sql`id = any(${ids}::integer[])`)
  }
  const away = cold.filter(({ isAway }) => isAway).map(({ rows }) => rows)
  const counts = [...away, ...gone.map(({ count }) => count)]
  return {
    measurements: counts.reduce((sum, count) => sum + count, 0),
    places: new Set([...cold, ...gone].map(({ place }) => place)),
  }
}

type Gone = {
  readonly place: number
  readonly id: number
  readonly day: string
  readonly count: number
}

type Cold = {
  readonly place: number
  readonly id: number
  readonly month: Month
  readonly rows: number
  readonly isAway: boolean
}

/**
 * Deletes latest values and records who could see them. A trigger would run where Citus has the
 * values.
 */
async function deleteLatest(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from latest where series_id = any(${ids}::integer[]) returning series_id
    )
    insert into change (area, dataset, id, kind, before)
    select ${area}, ${measurementsOf('')} || station.type, series.id::text, 'delete',
      rights_of_latest(station, data_type.name, series)
    from gone
    join series on series.id = gone.series_id
    join station on station.id = series.station_id
    join data_type on data_type.id = series.data_type_id
    order by series.id`)
}

type Chosen = { readonly found: readonly Found[]; readonly ids: readonly number[] }

/**
 * Makes the newest remaining value the latest one if the latest one was deleted. A series without
 * values has none. The latest value of any other series stays, even if its month is gone.
 */
async function chooseLatest(
  tx: Transaction,
  write: DeletionWrite,
  { found, ids: all }: Chosen,
): Promise<void> {
  const kept = await tx.query<{ id: number }>(sql`
    select latest.series_id as id
    from latest left join ${dueOf(write, found)} on due.series_id = latest.series_id
      and valid_time >= since and valid_time < until
      and transaction_time <= ${boundOf(write.received)}
    where latest.series_id = any(${all}::integer[]) and due.series_id is null`)
  const isKept = new Set(kept.map(({ id }) => id))
  const ids = all.filter((id) => !isKept.has(id))
  await deleteLatest(tx, ids)
  const columns = sql`series_id, valid_time, transaction_time, number, provenance_id, text, json`
  await tx.execute(sql`
    insert into latest (${columns})
    select m.series_id, m.valid_time, m.transaction_time, m.number, m.provenance_id, m.text, m.json
    from series as x join measurement as m on m.series_id = x.id
    where x.id = any(${ids}::integer[]) and m.valid_time = (
      select max(newest.valid_time) from measurement as newest
      where newest.series_id = x.id
        and newest.valid_time <= ${latestUntil})`)
}

/** Deletes stations. Records that name one as their parent or end lose that reference. */
async function deleteStations(tx: Transaction, stations: readonly number[]): Promise<void> {
  await recordStationChanges(tx, stations)
  for (const [table, column] of references) {
    const end = identifier(column)
    await tx.execute(sql`
      update ${identifier(table)} set ${end} = null where ${end} = any(${stations}::integer[])`)
  }
  await deleteFrom(tx, sql`edge where station_id`, stations)
  await deleteFrom(tx, sql`station_metadata where station_id`, stations)
  await deleteFrom(tx, sql`station where id`, stations)
}

const references = [
  ['station', 'parent_id'],
  ['edge', 'from_id'],
  ['edge', 'to_id'],
] as const

async function deleteFrom(tx: Transaction, column: Sql, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`delete from ${column} = any(${ids}::integer[])`)
}

async function noteInAudit(
  tx: Transaction,
  { stationType, what, items, by }: DeletionWrite,
  counts: Readonly<Record<Deletable, number>>,
): Promise<void> {
  const dataset = what === 'stations' ? stationsOf(stationType) : measurementsOf(stationType)
  const detail = JSON.stringify({ what, ...counts })
  await tx.execute(sql`
    insert into audit (time, subject, name, client, operation, dataset, id, request, detail)
    select now(), ${by.subject}, ${by.name}, ${by.client}, 'Delete', ${dataset}, id, ${by.request}::uuid,
      ${detail}::jsonb
    from unnest(${items.map(describe)}::text[]) as ids (id)`)
}

function describe({ code, dataType, period, from, to }: Deletion): string {
  const range = from === undefined && to === undefined ? [] : [`${from ?? ''}/${to ?? ''}`]
  return [code, dataType ?? [], period === undefined ? [] : `${String(period)}s`, range]
    .flat(2)
    .join(' ')
}

type Taken = {
  readonly all: readonly Found[]
  readonly found: readonly Found[]
  /** Positions of the items that values were deleted for. */
  readonly places: ReadonlySet<number>
}

/** Returns warnings about the items that delete nothing. */
function warningsOf({ what, items }: DeletionWrite, { all, found, places }: Taken) {
  const known = new Set(
    all.flatMap(({ place, station, series }) =>
      (what === 'stations' ? station : series) === null ? [] : place,
    ),
  )
  const due = new Set(found.map(({ place }) => place))
  return items.flatMap((item, index) => {
    const isEmpty = what === 'measurements' && due.has(index) && !places.has(index)
    if (known.has(index) && !isEmpty) return []
    const missing = what === 'stations' ? 'station' : 'series'
    const reason = known.has(index) ? 'has no values' : `names no known ${missing} of this type`
    return [
      { index, pointer: '', reason: `${reason}: ${describe(item)}; there was nothing to delete` },
    ]
  })
}
