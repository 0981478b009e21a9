import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { archive } from './archive.ts'
import type { Month } from './months.ts'

/**
 * `attached`: read and written. `detaching`: not read any more, but reads that began before may still
 * use it. `detached`: a table beside `measurement`. `moved`: the same in the archive.
 */
export type PartitionState = 'attached' | 'detaching' | 'detached' | 'moved'

export type Partition = {
  readonly name: string
  /** Null for the two outer ones, before and after the months that have tables. */
  readonly month: Month | null
  readonly state: PartitionState
  /** As PostgreSQL last estimated it; null before it ever did. */
  readonly rows: number | null
  /** With its indexes. */
  readonly bytes: number
}

/** All tables that hold measurements, the oldest first. */
export async function listPartitions(database: Queryable): Promise<readonly Partition[]> {
  const rows = await database.query<{
    name: string
    month: Month | null
    state: PartitionState
    rows: string
    bytes: string
  }>(sql`
    select
      relname::text as name,
      replace(substring(relname from '\\d{4}_\\d\\d$'), '_', '-') as month,
      case
        when inhdetachpending then 'detaching'
        when inhrelid is not null then 'attached'
        when relnamespace = to_regnamespace(${archive.name}) then 'moved'
        else 'detached'
      end as state,
      floor(reltuples)::bigint::text as rows,
      pg_total_relation_size(pg_class.oid)::text as bytes
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relkind = 'r' and relname ~ '^measurement_(\\d{4}_\\d\\d|before|after)$'
      and relnamespace in (
        (select relnamespace from pg_class where oid = 'measurement'::regclass),
        to_regnamespace(${archive.name}))
    order by relname <> 'measurement_before', month nulls last, state`)
  return rows.map(({ rows: estimate, bytes, ...partition }) => ({
    ...partition,
    rows: Number(estimate) < 0 ? null : Number(estimate),
    bytes: Number(bytes),
  }))
}
