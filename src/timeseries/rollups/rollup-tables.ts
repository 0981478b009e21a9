import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, Transaction } from '../../storage/index.ts'

/** The time that a stored aggregate covers, in UTC. */
export type RollupUnit = 'hour' | 'day'

export const rollupTables: Readonly<Record<RollupUnit, Sql>> = {
  hour: sql`rollup_hour`,
  day: sql`rollup_day`,
}

/** Seconds between values from which on an hour has about as many aggregates as values. */
export const rareValues = 1800

/** Reports whether hourly aggregates are kept for a series with this period in seconds. */
export function isRolledByHour(period: string): boolean {
  return Number(period) < rareValues
}

type Written = { readonly ids: readonly number[]; readonly times: readonly string[] }

/**
 * Notes that values were written to days that may have rollups, in the transaction that writes
 * them.
 * @param values in the order of their series and times, ISO 8601 in UTC
 * @param settled days that end before this time may have rollups
 */
export async function markStale(
  tx: Transaction,
  { ids, times }: Written,
  settled: string,
): Promise<void> {
  const dayAt = (place: number) => times[place]?.slice(0, 10) ?? ''
  const days = ids.flatMap((id, place) => {
    const isSame = id === ids[place - 1] && dayAt(place) === dayAt(place - 1)
    return isSame || (times[place] ?? '') >= settled ? [] : [{ id, day: dayAt(place) }]
  })
  await markDaysStale(tx, days)
}

type DayOfSeries = { readonly id: number; readonly day: string }

/**
 * Notes that the rollups of these days are stale.
 * @param days dates in UTC
 */
export async function markDaysStale(tx: Transaction, days: readonly DayOfSeries[]): Promise<void> {
  if (days.length === 0) return
  await tx.execute(sql`
    insert into rollup_stale (series_id, day)
    select id, day at time zone 'UTC' from unnest(
      ${days.map(({ id }) => id)}::integer[],
      ${days.map(({ day }) => day)}::timestamp[]) as days (id, day)`)
}

/** Notes the days of a month (UTC) that is added or removed, for all series or for some. */
export async function markMonthStale(
  database: Queryable,
  start: string,
  chosen: Sql = sql`true`,
): Promise<void> {
  await database.execute(sql`
    insert into rollup_stale (series_id, day)
    select id, day at time zone 'UTC' from series,
      generate_series(
        ${start}::timestamptz at time zone 'UTC',
        ${start}::timestamptz at time zone 'UTC' + interval '1 month' - interval '1 day',
        interval '1 day') as day
    where kind = 'number' and ${chosen}`)
}
