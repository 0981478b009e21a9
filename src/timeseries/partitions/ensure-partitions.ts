import { sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { archive } from './archive.ts'
import { monthOf, monthsBetween, previous, startOf } from './months.ts'
import type { Month } from './months.ts'

/** Why a month takes no values: it is older than what is kept, or its table was set aside. */
export type Closed = 'old' | 'aside'

/** The months that are not simply there. */
export type Months = {
  /** They take no values; what is written there would never be read. */
  readonly closed: ReadonlyMap<Month, Closed>
  /** They have no partition yet. */
  readonly missing: ReadonlySet<Month>
  /** They lie outside of the span in which months have tables of their own. */
  readonly outer: ReadonlySet<Month>
  /** That span, for people: `1996-01 to 2028-12`. */
  readonly span: string
  /** As `toInstant` writes it: later values are never the latest of their series. */
  readonly latestUntil: string
}

/**
 * Looks up the months of a message: one cheap statement. It asks the database itself, because what
 * another message made may have been rolled back.
 * @param received when the message came, by which it is known what lies ahead
 */
export async function lookUpMonths(
  tx: Queryable,
  months: ReadonlySet<Month>,
  received: Date,
): Promise<Months> {
  const found = await tx.query<Found>(sql`
    select looked.month, state, first_month as first, end_month as end,
      to_char((greatest(now(), ${received}) + latest_ahead) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "latestUntil"
    from measurement_span left join (
      select month, case
        when (month || '-01T00:00:00Z')::timestamptz < (select kept_from from measurement_retention)
          then 'old'
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
  const { first, end, latestUntil } = span
  return { closed, missing, outer, latestUntil, span: `${first} to ${previous(end)}` }
}

type Found = {
  readonly month: Month
  /** Null where all months are simply there. */
  readonly state: Closed | 'missing' | 'outer' | null
  readonly first: Month
  readonly end: Month
  readonly latestUntil: string
}

/** Makes partitions of months that are missing, in their order. */
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
 * Makes the partitions of the months around now, so that writers meet them ready. To be called at the
 * start and once a day.
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
 * Makes the partitions from one month to another, both included, where they are missing and may be.
 * @returns the months for which one was made
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
    if (outer.size > 0)
      throw new Error(
        `Only the months ${span} have tables of their own. Change HUB_MEASUREMENT_YEARS_BACK or HUB_MEASUREMENT_YEARS_AHEAD and start the hub for more.`,
      )
    await makeMissing(tx, missing)
    return [...missing]
  })
}
