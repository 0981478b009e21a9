import type { ColdMonths } from '../cold/cold-months.ts'
import { identifier, literal, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Log, Queryable, Transaction } from '../../storage/index.ts'
import {
  archive,
  describeSpan,
  firstKept,
  instantOf,
  listPartitions,
  lockMonthsSoon,
  monthOf,
  monthsBetween,
  next,
  outsideOf,
  startOf,
} from './months.ts'
import type { Month, Partition, Span } from './months.ts'
import { moveToArchive, retirePartitions } from './retire-partitions.ts'
import type { Retirement } from './retire-partitions.ts'

/** Why a month accepts no values: it is older than what is kept, or its table was set aside. */
export type Closed = 'old' | 'aside'

/** Months that are not ready to be written to. */
export type Months = {
  /** Months that accept no values. Values written there would never be read. */
  readonly closed: ReadonlyMap<Month, Closed>
  /** Months that have no partition yet. */
  readonly missing: ReadonlySet<Month>
  /** Months outside of the span in which months have tables of their own. */
  readonly outer: ReadonlySet<Month>
  /** The span, formatted for messages: `1996-01 to 2028-12`. */
  readonly span: string
  /** Timestamp in the form of `toInstant`. Later values are never the latest of their series. */
  readonly latestUntil: string
  /** Timestamp in the form of `toInstant`. Values before it are of days that may have rollups. */
  readonly settled: string
}

/**
 * Looks up the months of a message in one cheap statement. It queries the database itself, because
 * what another message created may have been rolled back.
 * @param received when the message arrived, which determines what is in the future
 */
export async function lookUpMonths(
  tx: Queryable,
  months: ReadonlySet<Month>,
  received: Date,
): Promise<Months> {
  const found = await tx.query<Found>(sql`
    select looked.month, state, first_month as first, end_month as end,
      to_char((greatest(now(), ${received}) + latest_ahead) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "latestUntil",
      to_char((now() - interval '24 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as settled
    from measurement_span left join (
      select month, case
        when (month || '-01T00:00:00Z')::timestamptz < (select kept_from from measurement_retention)
          then 'old'
        when exists (select from cold_month where cold_month.month = named.month) then 'aside'
        when month < first_month or month >= end_month then 'outer'
        when to_regclass(name) is null
          then case when to_regclass(${archive.name} || '.' || name) is null
            then 'missing' else 'aside' end
        when not exists (
          select from pg_inherits where inhrelid = to_regclass(name) and not inhdetachpending)
          then 'aside'
        else 'ready'
      end as state
      from measurement_span, (
        select month, 'measurement_' || replace(month, '-', '_') as name
        from unnest(${[...months]}::text[]) as month) as named) as looked on state <> 'ready'
    order by month`)
  const [span] = found
  if (span === undefined) throw new Error('measurement_span has no row')
  const closed = new Map<Month, Closed>()
  const [missing, outer] = [new Set<Month>(), new Set<Month>()]
  for (const { month, state } of found) {
    if (state === 'missing') missing.add(month)
    else if (state === 'outer') outer.add(month)
    else if (state !== null) closed.set(month, state)
  }
  const { latestUntil, settled } = span
  return { closed, missing, outer, latestUntil, settled, span: describeSpan(span) }
}

type Found = {
  readonly month: Month
  /** Null if all months are ready. */
  readonly state: Closed | 'missing' | 'outer' | null
  readonly first: Month
  readonly end: Month
  readonly latestUntil: string
  readonly settled: string
}

/** Creates the partitions of missing months, in ascending order. */
export async function makeMissing(tx: Transaction, months: ReadonlySet<Month>): Promise<void> {
  for (const month of [...months].toSorted()) {
    const start = startOf(month)
    await tx.execute(
      sql`select ensure_measurement_partitions(${start}::timestamptz, ${start}::timestamptz)`,
    )
  }
}

const monthsBefore = 2
const monthsAhead = 3

/**
 * Creates the partitions of the months around now, so that they exist before values arrive. To be
 * called at startup and once a day.
 */
export async function ensurePartitionsAhead(
  database: Pick<Database, 'transaction'>,
  now: Date,
): Promise<void> {
  await makePartitions(database, {
    first: monthOf(now, -monthsBefore),
    last: monthOf(now, monthsAhead),
  })
}

/**
 * Creates the partitions from one month to another, both included, where they are missing and the
 * months are not closed.
 * @returns the months whose partitions were created
 * @throws AppError HUB-OPR-001 if a month is outside of the span
 */
export async function makePartitions(
  database: Pick<Database, 'transaction'>,
  { first, last }: { readonly first: Month; readonly last: Month },
): Promise<readonly Month[]> {
  return database.transaction(async (tx) => {
    const { missing, outer, span } = await lookUpMonths(
      tx,
      new Set(monthsBetween(first, last)),
      new Date(0),
    )
    if (outer.size > 0) throw outsideOf(span)
    await makeMissing(tx, missing)
    return [...missing]
  })
}

type SpanSettings = {
  /** `HUB_MEASUREMENT_YEARS_BACK`, `HUB_MEASUREMENT_YEARS_AHEAD`. */
  readonly yearsBack: number
  readonly yearsAhead: number
  /** `HUB_LATEST_AHEAD`, in seconds. */
  readonly latestAhead: number
}

/**
 * Adjusts the span to the settings: whole years, so it moves once a year. Months outside of it with
 * few values are moved to the outer tables, and values in the outer tables that belong to months
 * inside of it get tables of their own. A month with more values keeps its table, and the span is
 * extended to it.
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

/**
 * Maximum number of tables that are moved in one transaction. Each takes several locks, and
 * PostgreSQL has a limited number of them.
 */
const maxAtOnce = 50

/**
 * Moves the span one step towards the settings.
 * @returns whether the span is as required now; otherwise another step of the same kind is needed
 */
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
    const now = due.slice(0, maxAtOnce)
    const step = reach(target, due.slice(maxAtOnce).flatMap(monthsOf))
    if (now.length > 0 || !(await isSpan(tx, step))) await move(tx, now, step)
    return now.length === due.length
  }
  return database.transaction(work, { statementTimeout: 0 })
}

function monthsOf({ month }: Partition): readonly Month[] {
  return month === null ? [] : [month]
}

function isOutside({ month, state }: Partition, { first, end }: Span): boolean {
  if (state !== 'attached' && state !== 'cold') return false
  return month !== null && (month < first || month >= end)
}

/** Returns the span, extended so that it includes these months. */
function reach({ first, end }: Span, months: readonly Month[]): Span {
  const [earliest, latest] = [months.toSorted().at(0), months.toSorted().at(-1)]
  if (earliest === undefined || latest === undefined) return { first, end }
  const after = next(latest)
  return { first: earliest < first ? earliest : first, end: after > end ? after : end }
}

/**
 * Maximum number of values of a month that are moved, while nobody can read or write measurements.
 */
const fewValues = 10_000

async function isFull(tx: Transaction, { name, state }: Partition): Promise<boolean> {
  if (state === 'cold') return true
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

/**
 * Creates the tables of months, in a database without measurements, as another database had them,
 * so that its rows can be inserted. A month that was about to leave `measurement` has left it.
 */
export async function layOutMonths(
  tx: Transaction,
  { span, months }: { readonly span: Span; readonly months: readonly Partition[] },
): Promise<void> {
  await move(tx, [], span)
  const known = new Set((await listPartitions(tx)).map(({ name }) => name))
  for (const { name, month, state } of months) {
    if (month === null || known.has(name)) continue
    if (state === 'attached' || state === 'cold') {
      await makeMissing(tx, new Set([month]))
      continue
    }
    await tx.execute(sql`create table ${identifier(name)} (like measurement including all)`)
    if (state === 'moved') await moveToArchive(tx, name)
  }
}

/**
 * Moves tables into the outer tables and sets the span. Reads and writes wait for it, and it gives
 * up if it waits too long for them.
 */
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

/** Moves values of months inside the span from an outer table to the tables of these months. */
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

type Deps = {
  readonly database: Database
  readonly log: Log
  /** `HUB_MEASUREMENT_KEEP_MONTHS`, `HUB_MEASUREMENT_RETIREMENT`. */
  readonly keepMonths: number
  readonly retirement: Retirement
  readonly cold: ColdMonths
  readonly span: SpanSettings
}

/**
 * Adjusts the span, creates the partitions of the next months, retires old ones and evicts unused
 * values of cold months. To be called regularly. Failures are logged, and the next run tries again.
 */
export async function keepPartitions(deps: Deps, now: Date): Promise<void> {
  const { database, log, keepMonths, retirement, cold, span } = deps
  try {
    await keepSpan(database, now, span)
  } catch (err) {
    log.warn({ err }, 'The span of months could not be moved yet; the next hour tries again.')
  }
  try {
    await ensurePartitionsAhead(database, now)
  } catch (err) {
    log.error({ err }, 'The partitions of the next months could not be made.')
  }
  try {
    const policy = { firstKept: firstKept(keepMonths, now), retirement, cold }
    const retired = await retirePartitions(database, policy)
    if (retired.length > 0) log.info({ retired }, 'Old months of measurements were retired.')
  } catch (err) {
    log.error({ err }, 'Old months of measurements could not be retired.')
  }
  try {
    await cold.evict()
  } catch (err) {
    log.error({ err }, 'Values of cold months that nobody needs could not leave their tables.')
  }
}
