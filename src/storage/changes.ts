import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, Transaction } from './database.ts'

export type Changes = {
  /** The feature that wrote, such as `content`. */
  readonly area: string
  /** What has a version of its own, such as an entity type. */
  readonly dataset: string
  readonly kind: 'upsert' | 'delete'
  /** Identifiers of the records, each one row of `change`. */
  readonly ids: readonly string[]
}

/** Notes what the transaction wrote; the version of the dataset changes when it commits. Feeds do not report it. */
export async function recordChanges(tx: Transaction, changes: Changes): Promise<void> {
  const { area, dataset, kind, ids } = changes
  if (ids.length === 0) return
  await tx.execute(
    sql`insert into change (area, dataset, id, kind)
        select ${area}, ${dataset}, id, ${kind} from unnest(${ids}::text[]) with ordinality as ids (id, place)
        order by place`,
  )
}

/**
 * Prints the version of a dataset: a text to compare for equality and nothing else. Two different states
 * never share one, because the state it names is that of the statement it stands in, which should read the
 * data, too. How is written at the function `dataset_version` of `migrations/0001-change.sql`; written out
 * here, it takes a sixth of the time, since PostgreSQL plans such a function again at each call. A name that has
 * another collation than the column could not be looked up in the index.
 */
export function versionOfDataset(dataset: Sql): Sql {
  return sql`(
    select concat(
      coalesce((
        select change.xid::text from change
        where dataset = wanted.dataset_name and xid < pg_snapshot_xmin(pg_current_snapshot())
        order by change.xid desc limit 1
      ), '0'),
      '.',
      (
        select count(*) from change
        where dataset = wanted.dataset_name and xid >= pg_snapshot_xmin(pg_current_snapshot())
      ))
    from (select (${dataset})::text collate "default" as dataset_name) as wanted)`
}

/** The version of a dataset by itself. */
export async function datasetVersion(queryable: Queryable, dataset: string): Promise<string> {
  const [row] = await queryable.texts(sql`select ${versionOfDataset(sql`${dataset}`)}`)
  return row?.[0] ?? '0.0'
}
