import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, Transaction } from './database.ts'

export type Changes = {
  /** Feature that wrote the records, such as `content`. */
  readonly area: string
  /** A unit with a version of its own, such as an entity type. */
  readonly dataset: string
  readonly kind: 'upsert' | 'delete'
  /** Identifiers of the records. Each becomes a row of `change`. */
  readonly ids: readonly string[]
}

/**
 * Records what the transaction wrote. The version of the dataset changes when it commits. Feeds do
 * not report these changes.
 */
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
 * Returns SQL for the version of a dataset: a text to be compared for equality only. Two different
 * states never share a version, because it describes the state seen by the statement that contains
 * it; that statement should therefore read the data, too. The function `dataset_version` of
 * `migrations/0001-change.sql` explains how it works. Inlined here, it takes a sixth of the time,
 * because PostgreSQL plans such a function again on each call. A name with another collation than
 * the column could not use the index.
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

/** Loads the version of a dataset in a statement of its own. */
export async function datasetVersion(queryable: Queryable, dataset: string): Promise<string> {
  const [row] = await queryable.texts(sql`select ${versionOfDataset(sql`${dataset}`)}`)
  return row?.[0] ?? '0.0'
}
