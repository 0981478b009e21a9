import { sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { archive } from './archive.ts'
import { monthOf, monthsBetween, startOf } from './months.ts'
import type { Month } from './months.ts'

/** Why a month takes no values: it is older than what is kept, or its table was set aside. */
export type Closed = 'old' | 'aside'

/** The months that are not simply there. */
export type Months = {
  /** They take no values; what is written there would never be read. */
  readonly closed: ReadonlyMap<Month, Closed>
  /** They have no partition yet. */
  readonly missing: ReadonlySet<Month>
}

/**
 * Looks up the months of a message: one cheap statement. It asks the database itself, because what
 * another message made may have been rolled back.
 */
export async function lookUpMonths(tx: Queryable, months: ReadonlySet<Month>): Promise<Months> {
  const found = await tx.query<{ month: Month; state: Closed | 'missing' }>(sql`
    select month, state from (
      select month, case
        when (month || '-01T00:00:00Z')::timestamptz < (select kept_from from measurement_retention)
          then 'old'
        when month < '2000' or month >= '2100' then 'ready'
        when to_regclass(name) is null
          then case when to_regclass(${archive.name} || '.' || name) is null
            then 'missing' else 'aside' end
        when not exists (
          select from pg_inherits where inhrelid = to_regclass(name) and not inhdetachpending)
          then 'aside'
        else 'ready'
      end as state
      from (
        select month, 'measurement_' || replace(month, '-', '_') as name
        from unnest(${[...months]}::text[]) as month) as named) as looked
    where state <> 'ready'
    order by month`)
  const missing = found.filter(({ state }) => state === 'missing').map(({ month }) => month)
  const closed = new Map<Month, Closed>()
  for (const { month, state } of found) if (state !== 'missing') closed.set(month, state)
  return { closed, missing: new Set(missing) }
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
    const { missing } = await lookUpMonths(tx, new Set(monthsBetween(first, last)))
    await makeMissing(tx, missing)
    return [...missing]
  })
}
