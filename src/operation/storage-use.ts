import { sql } from '../sql/index.ts'
import { listWithPlan } from '../timeseries/index.ts'
import type { Partition } from '../timeseries/index.ts'
import type { PartitionDeps } from './partition-routes.ts'

type TableUse = { readonly table: string; readonly rows: number | null; readonly bytes: number }

/** Limit on listed tables; the largest are listed. */
const maxTables = 30

/** Loads how much the database stores: in total, by table, and by month of measurements. */
export async function loadStorageUse({ database, policy, now }: PartitionDeps) {
  const [whole] = await database.query<{ bytes: string }>(
    sql`select pg_database_size(current_database())::text as bytes`,
  )
  const tables = await database.query<{ table: string; rows: string; bytes: string }>(sql`
    select relname::text as "table", floor(reltuples)::bigint::text as rows,
      pg_total_relation_size(oid)::text as bytes
    from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname !~ '^measurement_(\\d{4}_\\d\\d|before|after)$'
    order by pg_total_relation_size(oid) desc, relname limit ${maxTables}`)
  const partitions = await listWithPlan(database, policy())
  return {
    bytes: Number(whole?.bytes ?? 0),
    tables: tables.map(({ table, rows, bytes }): TableUse => {
      // PostgreSQL reports -1 before it has ever estimated the rows.
      return { table, rows: Number(rows) < 0 ? null : Number(rows), bytes: Number(bytes) }
    }),
    partitions,
    growth: projectGrowth(partitions, now()),
  }
}

/** Number of whole months whose mean is projected. */
const considered = 3

/**
 * Projects the size of the measurements in a year, if each month is like the last three whole ones.
 * @returns null if no whole month has values
 */
export function projectGrowth(partitions: readonly Partition[], now: Date) {
  const current = now.toISOString().slice(0, 7)
  const whole = partitions
    .filter(({ month, state, rows }) => {
      return month !== null && month < current && state === 'attached' && (rows ?? 0) > 0
    })
    .slice(-considered)
  if (whole.length === 0) return null
  const bytes = partitions.reduce((sum, one) => sum + one.bytes, 0)
  const bytesPerMonth = Math.round(whole.reduce((sum, one) => sum + one.bytes, 0) / whole.length)
  return { bytes, bytesPerMonth, bytesInAYear: bytes + 12 * bytesPerMonth }
}
