import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'

/**
 * Makes the monthly partitions that these times need. The look-up is one cheap statement for each
 * message, and asks the database itself: what another message made may have been rolled back.
 * @param times ISO 8601 in UTC
 */
export async function ensurePartitionsFor(
  tx: Transaction,
  times: ReadonlySet<string>,
): Promise<void> {
  const months = [...new Set([...times].map((time) => time.slice(0, 7)))]
  const missing = await tx.query<{ month: string }>(sql`
    select month from unnest(${months}::text[]) as month
    where month >= '2000' and month < '2100'
      and to_regclass('measurement_' || replace(month, '-', '_')) is null
    order by month`)
  for (const { month } of missing) {
    const start = `${month}-01T00:00:00Z`
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
  database: Pick<Database, 'execute'>,
  now: Date,
): Promise<void> {
  const month = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString()
  await database.execute(sql`
    select ensure_measurement_partitions(
      ${month(-monthsBefore)}::timestamptz, ${month(monthsAhead)}::timestamptz)`)
}
