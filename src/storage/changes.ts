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

/** Notes what the transaction wrote; the version of the dataset changes when it commits. */
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
 * The same as part of the statement that writes: an `insert` that notes the ids of the rows that a
 * common table expression returned, to stand in another one beside it.
 */
export function noteChanges({ area, dataset, kind }: Omit<Changes, 'ids'>, written: Sql): Sql {
  return sql`insert into change (area, dataset, id, kind)
    select ${area}, ${dataset}, id, ${kind} from ${written}`
}

/**
 * The version of a dataset, a text to compare for equality and nothing else: two different states
 * never share one. Why is written at `dataset_version` in `migrations/0001-change.sql`. To label data,
 * call that function in the statement that reads them, so that both see the same snapshot.
 */
export async function datasetVersion(queryable: Queryable, dataset: string): Promise<string> {
  const rows = await queryable.query<{ version: string }>(
    sql`select dataset_version(${dataset}) as version`,
  )
  return rows[0]?.version ?? '0.0'
}
