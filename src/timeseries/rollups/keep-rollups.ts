import { empty, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Log, Transaction } from '../../storage/index.ts'
import { bucketParts, millionthsOf, partOfValues } from '../buckets/aggregates.ts'
import { isDistributed } from '../partitions/distribute.ts'
import { findUnnotified, next, noteAllValues, startOf, tableOf } from '../partitions/months.ts'
import type { Month } from '../partitions/months.ts'
import { rareValues, rollupTables } from './rollup-tables.ts'

/**
 * Recomputes stale rollups, then computes those of days that have ended, then those of earlier
 * days, one day at a time, until nothing is left to do or time is over.
 * @returns the number of computed days
 */
export async function fillRollups(database: Database, isOver: () => boolean): Promise<number> {
  let days = 0
  while (!isOver() && (await fillNext(database))) days++
  if (days > 0) await indexTimes(database)
  return days
}

/**
 * Summarizes the new blocks in the indexes on times. Until then, queries by time scan all new
 * blocks; neither every server nor the embedded database does this by itself.
 */
async function indexTimes(database: Database): Promise<void> {
  const statement = sql`
    select brin_summarize_new_values('rollup_hour_start'),
      brin_summarize_new_values('rollup_day_start')`
  await database.transaction((tx) => tx.query(statement), { statementTimeout: 0 })
}

/**
 * Recomputes all rollups from the values, which may have changed unnoticed, one day at a time.
 * Rollups of series whose values are in the files of cold months stay: they were computed from the
 * same values (`refreshMonth`).
 * @returns the number of computed days
 */
export async function rebuildRollups(database: Database): Promise<number> {
  const noteChange = () => database.transaction((tx) => noteAllValues(tx, 'rollups', 'upsert'))
  // Noted before and after: buckets change from the first day on, and are complete after the last.
  await noteChange()
  if (await isDistributed(database)) return 0
  await oneStep(database, clearOutside)
  let days = 0
  for (const day of await daysToRebuild(database)) {
    const isMade = await oneStep(database, (tx, passed) => rebuildDay(tx, day, passed))
    if (isMade) days++
  }
  days += await fillRollups(database, () => false)
  await noteChange()
  await indexTimes(database)
  return days
}

/**
 * Deletes rollups of days outside the span. They are not read, and are computed from all values
 * when the span reaches them.
 */
async function clearOutside(tx: Transaction): Promise<boolean> {
  const inSpan = (day: Sql) =>
    sql`exists (select from rollup_span where ${day} >= since and ${day} < until)`
  for (const table of Object.values(rollupTables))
    await tx.execute(sql`delete from ${table} where not ${inSpan(sql`start`)}`)
  await tx.execute(sql`delete from rollup_stale where not ${inSpan(sql`day`)}`)
  return true
}

/** Returns the days that have values or rollups, each found by a lookup in the index. */
async function daysToRebuild(database: Database): Promise<readonly string[]> {
  const dayFrom = (time: Sql) => sql`(
    select date_trunc('day', min(valid_time), 'UTC') from measurement
    where valid_time >= ${time} and valid_time < until)`
  const statement = sql`
    with recursive filled (day, until) as (
      select ${dayFrom(sql`since`)}, until from rollup_span
      union all
      select ${dayFrom(sql`day + interval '24 hours'`)}, until from filled where day is not null
    )
    select ${isoOf(sql`day`)} as day from (
      select day from filled where day is not null union select start from rollup_day) as days (day)
    order by 1`
  const days = await database.transaction((tx) => tx.query<{ day: string }>(statement), {
    statementTimeout: 0,
  })
  return days.map(({ day }) => day)
}

async function rebuildDay(tx: Transaction, day: string, { leaving }: Passed): Promise<boolean> {
  const month = day.slice(0, 7)
  if (leaving.has(tableOf(month))) return false
  const ids = sql`array(
    select id from series where not exists (
      select from cold_series where series_id = id and month = ${month} and used is null))`
  await remakeDay(tx, day, ids)
  return true
}

/**
 * Computes the rollups of a month that is about to become cold from its table, because nothing
 * computes them afterwards. If the rollups do not reach its end yet, because the hub was stopped
 * for long, they would otherwise never get beyond it.
 */
export async function refreshMonth(database: Database, month: Month): Promise<void> {
  const end = startOf(next(month))
  while (await oneStep(database, (tx, { all }) => extendUntil(tx, end, all)));
  const days = await database.query<{ day: string }>(sql`
    select ${isoOf(sql`day`)} as day
    from rollup_span, generate_series(
      greatest(since, ${startOf(month)}::timestamptz),
      least(until, ${end}::timestamptz) - interval '24 hours', interval '24 hours') as day`)
  for (const { day } of days) {
    // Another node may have made the month cold, and its values may have left the table.
    await oneStep(database, async (tx, { all }) => {
      if (all.has(tableOf(month))) return false
      await remakeDay(tx, day, sql`array(select id from series)`)
      return true
    })
  }
}

async function remakeDay(tx: Transaction, day: string, ids: Sql): Promise<void> {
  await tx.execute(sql`
    delete from rollup_stale where day = ${day}::timestamptz and series_id = any(${ids})`)
  await clearDay(tx, day, ids)
  await fillDay(tx, day, sql`and m.series_id = any(${ids})`)
}

type Deps = {
  readonly database: Database
  readonly log: Log
  readonly now: () => Date
}

/** Milliseconds that a run may take. The next run continues. */
const patience = 60_000

/**
 * Fills rollups for a while. To be run regularly. An error is logged, and the next run tries again.
 */
export async function keepRollups({ database, log, now }: Deps): Promise<void> {
  const end = now().getTime() + patience
  try {
    await fillRollups(database, () => now().getTime() >= end)
  } catch (err) {
    log.warn({ err }, 'Hourly and daily aggregates could not be made; the hub tries again.')
  }
}

/** Allows one run at a time. A table lock is taken before the transaction has its snapshot. */
async function lockRollups(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table rollup_span in exclusive mode`)
}

type Span = { readonly since: string; readonly until: string; readonly settled: string }

/** Tables of months whose days are not recomputed. `all` includes the cold months. */
type Passed = { readonly leaving: ReadonlySet<string>; readonly all: ReadonlySet<string> }

type Step = (tx: Transaction, passed: Passed) => Promise<boolean>

/**
 * Runs a step in a transaction. All its statements see the same state, so the notes that it removes
 * concern values that it sees. A note of a writer that has not committed yet stays.
 * @returns whether there was something to do
 */
function oneStep(database: Database, step: Step): Promise<boolean> {
  const work = async (tx: Transaction) => {
    await tx.execute(sql`set transaction isolation level repeatable read`)
    await lockRollups(tx)
    return (await isDistributed(tx)) ? keepNone(tx) : step(tx, await passedMonths(tx))
  }
  return database.transaction(work, { statementTimeout: 0 })
}

function fillNext(database: Database): Promise<boolean> {
  return oneStep(database, async (tx, { all }) => {
    const span = await loadSpan(tx)
    return (await refreshStale(tx, all)) || extend(tx, span, all)
  })
}

/**
 * Keeps no rollups in a distributed database: they would be on one node, while Citus reads the
 * values where they are.
 */
async function keepNone(tx: Transaction): Promise<boolean> {
  for (const table of [sql`rollup_span`, sql`rollup_stale`])
    await tx.execute(sql`delete from ${table}`)
  return false
}

/**
 * Returns the tables of months whose days are not recomputed. A month that is leaving is still read
 * until it has left, and notes about it apply afterwards. Of a cold month, not all values are in
 * the table.
 */
async function passedMonths(tx: Transaction): Promise<Passed> {
  const leaving = await findUnnotified(tx)
  const cold = await tx.query<{ month: Month }>(sql`select month from cold_month`)
  return { leaving, all: new Set([...leaving, ...cold.map(({ month }) => tableOf(month))]) }
}

/**
 * Returns the days that have rollups, and the time until which days are settled. Writers note
 * values that are older than a day (`markStale`), so days that ended a day before that have notes
 * of everything that is written to them, unless a writer takes a whole day.
 */
async function loadSpan(tx: Transaction): Promise<Span> {
  const settled = sql`date_trunc('day', now(), 'UTC') - interval '48 hours'`
  await tx.execute(sql`
    insert into rollup_span (since, until) values (${settled}, ${settled}) on conflict do nothing`)
  const [span] = await tx.query<Span>(sql`
    select ${isoOf(sql`since`)} as since, ${isoOf(sql`until`)} as until, ${isoOf(settled)} as settled
    from rollup_span`)
  if (span === undefined) throw new Error('rollup_span has no row')
  return span
}

function isoOf(time: Sql): Sql {
  return sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
}

async function refreshStale(tx: Transaction, passed: ReadonlySet<string>): Promise<boolean> {
  const [stale] = await tx.query<{ day: string }>(sql`
    select ${isoOf(sql`day`)} as day from rollup_stale, rollup_span
    where day >= since and day < until
      and 'measurement_' || to_char(day at time zone 'UTC', 'YYYY_MM') <> all(${[...passed]}::text[])
    order by rollup_stale.day limit 1`)
  if (stale === undefined) return false
  const { day } = stale
  const gone = await tx.query<{ id: number }>(sql`
    with gone as (delete from rollup_stale where day = ${day}::timestamptz returning series_id)
    select distinct series_id as id from gone`)
  const ids = sql`${gone.map(({ id }) => id)}::integer[]`
  await clearDay(tx, day, ids)
  await fillDay(tx, day, sql`and m.series_id = any(${ids})`)
  return true
}

/**
 * Deletes the rollups of a day.
 * @param ids array of series ids, the first column of the index
 */
async function clearDay(tx: Transaction, day: string, ids: Sql): Promise<void> {
  for (const table of Object.values(rollupTables))
    await tx.execute(sql`
      delete from ${table}
      where series_id = any(${ids}) and start >= ${day}::timestamptz and start < ${endOf(day)}`)
}

/** Computes the next day that has ended, or else the last day with values before the first. */
async function extend(
  tx: Transaction,
  { since, until, settled }: Span,
  passed: ReadonlySet<string>,
): Promise<boolean> {
  const isNext = until < settled
  const day = isNext ? until : await dayBefore(tx, since)
  if (day === undefined || passed.has(tableOf(day.slice(0, 7)))) return false
  await tx.execute(sql`delete from rollup_stale where day = ${day}::timestamptz`)
  await fillDay(tx, day, empty)
  await tx.execute(
    isNext
      ? sql`update rollup_span set until = ${endOf(day)}`
      : sql`update rollup_span set since = ${day}::timestamptz`,
  )
  return true
}

async function extendUntil(
  tx: Transaction,
  end: string,
  passed: ReadonlySet<string>,
): Promise<boolean> {
  const span = await loadSpan(tx)
  return span.until < end && span.until < span.settled && extend(tx, span, passed)
}

/**
 * Returns the last day with values before a time. The search ends at the latest cold month, because
 * from there back there are values that are not in the table.
 */
async function dayBefore(tx: Transaction, since: string): Promise<string | undefined> {
  const [found] = await tx.query<{ day: string | null }>(sql`
    select ${isoOf(sql`date_trunc('day', max(valid_time), 'UTC')`)} as day from measurement
    where valid_time < ${since}::timestamptz
      and valid_time >= coalesce((
        select max((month || '-01')::timestamp) at time zone 'UTC' from cold_month
        where (month || '-01')::timestamp at time zone 'UTC' < ${since}::timestamptz), '-infinity')`)
  return found?.day ?? undefined
}

function endOf(day: string): Sql {
  return sql`${day}::timestamptz + interval '24 hours'`
}

/** Computes the rollups of a day and of its hours. The values are read once for both. */
async function fillDay(tx: Transaction, day: string, chosen: Sql): Promise<void> {
  const columns = join(bucketParts.map(identifier), ', ')
  const parts = bucketParts.map((part) => sql`${partOfValues[part]} as ${identifier(part)}`)
  await tx.execute(sql`
    with made as materialized (
      select v.series_id, v.start, ${join(parts, ', ')}
      from (
        select m.series_id, m.valid_time, m.number, ${millionthsOf(sql`m.number`)} as millionths,
          date_trunc('hour', m.valid_time, 'UTC') as start
        from measurement as m
        where m.valid_time >= ${day}::timestamptz and m.valid_time < ${endOf(day)}
          and m.number is not null ${chosen}) as v
      group by grouping sets ((v.series_id, v.start), (v.series_id))
    ), hours as (
      insert into rollup_hour (series_id, start, ${columns})
      select series_id, start, ${columns} from made join series on series.id = series_id
      where start is not null and period < ${rareValues}::integer
      order by series_id, start
    )
    insert into rollup_day (series_id, start, ${columns})
    select series_id, ${day}::timestamptz, ${columns} from made where start is null order by series_id`)
}
