import { identifier, literal, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { instantOf } from './check-month.ts'
import { listPartitions } from './list-partitions.ts'
import type { Partition } from './list-partitions.ts'
import { lockMonthsSoon } from './lock-months.ts'
import { next, startOf } from './months.ts'
import type { Month } from './months.ts'

/** The months that have tables of their own; what lies outside is in one table before and one after them. */
type Span = {
  readonly first: Month
  /** The first one after them. */
  readonly end: Month
}

export type SpanSettings = {
  /** `HUB_MEASUREMENT_YEARS_BACK`, `HUB_MEASUREMENT_YEARS_AHEAD`. */
  readonly yearsBack: number
  readonly yearsAhead: number
  /** Seconds, `HUB_LATEST_AHEAD`. */
  readonly latestAhead: number
}

/**
 * Makes the span what the settings want: whole years, so it moves once a year. Months outside of it that
 * hold little go into the outer tables, and what the outer tables hold of months inside gets tables of its
 * own. A month with more than that stays, and the span reaches to it.
 */
export async function keepSpan(
  database: Database,
  now: Date,
  settings: SpanSettings,
): Promise<void> {
  await keepLatestAhead(database, settings.latestAhead)
  const wanted = wantedSpan(now, settings)
  while (!(await approach(database, wanted)));
}

async function keepLatestAhead(database: Queryable, seconds: number): Promise<void> {
  await database.execute(sql`
    update measurement_span set latest_ahead = ${seconds} * interval '1 second'
    where latest_ahead <> ${seconds} * interval '1 second'`)
}

function wantedSpan(now: Date, { yearsBack, yearsAhead }: SpanSettings): Span {
  const january = (year: number) => `${String(Math.max(1, year)).padStart(4, '0')}-01`
  const year = now.getUTCFullYear()
  return { first: january(year - yearsBack), end: january(year + yearsAhead + 1) }
}

/** Each one that goes takes several locks, of which PostgreSQL has a limited number in one transaction. */
const mostAtOnce = 50

/** @returns whether the span is as it is wanted now; otherwise there is more to do of the same kind */
async function approach(database: Database, wanted: Span): Promise<boolean> {
  const work = async (tx: Transaction) => {
    await lockMonthsSoon(tx)
    const outside = (await listPartitions(tx)).filter((one) => isOutside(one, wanted))
    const strays: Partition[] = []
    const full: Month[] = []
    for (const one of outside) {
      if (await isFull(tx, one)) full.push(...monthsOf(one))
      else strays.push(one)
    }
    const target = reach(wanted, full)
    const due = strays.filter((one) => isOutside(one, target))
    const now = due.slice(0, mostAtOnce)
    const step = reach(target, due.slice(mostAtOnce).flatMap(monthsOf))
    if (now.length > 0 || !(await isSpan(tx, step))) await move(tx, now, step)
    return now.length === due.length
  }
  return database.transaction(work, { statementTimeout: 0 })
}

function monthsOf({ month }: Partition): readonly Month[] {
  return month === null ? [] : [month]
}

function isOutside({ month, state }: Partition, { first, end }: Span): boolean {
  return state === 'attached' && month !== null && (month < first || month >= end)
}

/** The span, as far longer as it needs to be to hold these months. */
function reach({ first, end }: Span, months: readonly Month[]): Span {
  const [earliest, latest] = [months.toSorted().at(0), months.toSorted().at(-1)]
  if (earliest === undefined || latest === undefined) return { first, end }
  const after = next(latest)
  return { first: earliest < first ? earliest : first, end: after > end ? after : end }
}

/** Values of a month that are moved at most, while nobody reads or writes measurements. */
const fewValues = 10_000

async function isFull(tx: Transaction, { name }: Partition): Promise<boolean> {
  const more = await tx.query(sql`select from ${identifier(name)} offset ${fewValues} limit 1`)
  return more.length > 0
}

async function isSpan(tx: Transaction, { first, end }: Span): Promise<boolean> {
  const same = await tx.query(sql`
    select from measurement_span where first_month = ${first} and end_month = ${end}`)
  return same.length > 0
}

const before = identifier('measurement_before')
const after = identifier('measurement_after')

/** Reads and writes wait for this; it gives up where they last. */
async function move(tx: Transaction, strays: readonly Partition[], span: Span): Promise<void> {
  for (const outer of [before, after]) await detach(tx, outer)
  for (const { name, month } of strays) {
    const table = identifier(name)
    await detach(tx, table)
    const outer = month !== null && month < span.first ? before : after
    await tx.execute(sql`insert into ${outer} select ${table}.* from ${table}`)
    await tx.execute(sql`drop table ${table}`)
  }
  await tx.execute(
    sql`update measurement_span set first_month = ${span.first}, end_month = ${span.end}`,
  )
  for (const outer of [before, after]) await giveMonths(tx, outer, span)
  const [from, to] = [literal(instantOf(span.first)), literal(instantOf(span.end))]
  await attach(tx, before, sql`(minvalue) to (${from})`)
  await attach(tx, after, sql`(${to}) to (maxvalue)`)
}

async function detach(tx: Transaction, table: Sql): Promise<void> {
  await tx.execute(sql`alter table measurement detach partition ${table}`)
}

async function attach(tx: Transaction, table: Sql, bounds: Sql): Promise<void> {
  await tx.execute(sql`alter table measurement attach partition ${table} for values from ${bounds}`)
}

/** What an outer table holds of months inside the span, into the tables of these. */
async function giveMonths(tx: Transaction, outer: Sql, { first, end }: Span): Promise<void> {
  const inside = sql`
    valid_time >= ${startOf(first)}::timestamptz and valid_time < ${startOf(end)}::timestamptz`
  await tx.execute(sql`
    select ensure_measurement_partitions(month, month) from (
      select distinct date_trunc('month', valid_time, 'UTC') as month from ${outer} where ${inside}
    ) as months`)
  await tx.execute(sql`
    with given as (delete from ${outer} where ${inside} returning *)
    insert into measurement select * from given`)
}
