import { identifier, sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { lockMonths } from './months.ts'

/**
 * Tables that are distributed over the nodes of Citus by `series_id`, so that the rows of a series
 * are on one node.
 */
export const distributedTables = ['measurement', 'latest'] as const

/** Tables that every node has in full, so that they can be joined to distributed tables there. */
export const referenceTables = ['data_type', 'provenance', 'series'] as const

export type Distribution = {
  readonly outcome: 'distributed' | 'already'
  /** Number of nodes that hold data. */
  readonly nodes: number
}

/**
 * Distributes measurements, with existing values, over the nodes of Citus. Months that are created
 * later follow automatically, because Citus distributes a table that is attached to a distributed
 * one. Everything else stays on the node of `DATABASE_URL`.
 * @throws Error if the database has no Citus, before anything is changed
 */
export async function distributeMeasurements(database: Database): Promise<Distribution> {
  await assertCitus(database)
  const work = async (tx: Transaction) => {
    await tx.execute(sql`create extension if not exists citus`)
    await lockMonths(tx)
    const outcome = (await isDistributed(tx)) ? 'already' : 'distributed'
    if (outcome === 'distributed') await distribute(tx)
    const nodes = await tx.query(
      sql`select from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards`,
    )
    return { outcome, nodes: nodes.length } as const
  }
  return database.transaction(work, { statementTimeout: 0 })
}

/** Reports whether measurements are distributed over several nodes. */
export async function isDistributed(database: Queryable): Promise<boolean> {
  const [row] = await database.texts(sql`select to_regclass('pg_dist_partition')::text`)
  if (row?.[0] === null) return false
  const found = await database.query(
    sql`select from pg_dist_partition where logicalrelid = 'measurement'::regclass`,
  )
  return found.length > 0
}

async function assertCitus(database: Database): Promise<void> {
  if (database.engine === 'embedded') {
    throw new Error(
      'The embedded database is one process and cannot be distributed. Set DATABASE_URL to a PostgreSQL with Citus.',
    )
  }
  const found = await database.query(sql`select from pg_available_extensions where name = 'citus'`)
  if (found.length > 0) return
  throw new Error(
    'The PostgreSQL at DATABASE_URL does not have the extension citus, so nothing was distributed. ' +
      'Install Citus on every node, add it to shared_preload_libraries, and repeat the command.',
  )
}

/** Distributes the tables. Exported for tests without Citus. */
export async function distribute(tx: Transaction): Promise<void> {
  // Use one connection to each node: tables that refer to each other are changed in one
  // transaction.
  await tx.query(sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`)
  await dropForeignKeys(tx)
  // Rollups are only supported on a single machine.
  await tx.execute(sql`delete from rollup_span`)
  for (const table of referenceTables) await tx.query(sql`select create_reference_table(${table})`)
  let colocated = 'none'
  for (const table of distributedTables) {
    await tx.query(
      sql`select create_distributed_table(${table}, 'series_id', colocate_with => ${colocated})`,
    )
    colocated = table
  }
  await shareFunctions(tx)
}

/**
 * Drops foreign keys. Those between distributed tables and others would bring the latter into
 * Citus, with their triggers, and the one from `latest` to `series` would keep a transaction from
 * creating series after it has stored values.
 */
async function dropForeignKeys(tx: Transaction): Promise<void> {
  const keys = await tx.query<{ table: string; name: string }>(sql`
    select relname::text as table, conname::text as name
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0
      and (conrelid = any(${referenceTables}::text[]::regclass[])
        <> (confrelid = any(${referenceTables}::text[]::regclass[]))
        or conrelid = any(${distributedTables}::text[]::regclass[]))`)
  for (const { table, name } of keys)
    await tx.execute(sql`alter table ${identifier(table)} drop constraint ${identifier(name)}`)
}

/**
 * Distributes to every node the functions that statements call for single values. Functions that
 * read tables are called on the node of these tables.
 */
async function shareFunctions(tx: Transaction): Promise<void> {
  await tx.query(sql`
    select create_distributed_function(one.oid::regprocedure)
    from pg_proc as one
    where prokind = 'f' and provolatile = 'i'
      and pronamespace = (select relnamespace from pg_class where oid = 'measurement'::regclass)
      and not exists (select from pg_depend where objid = one.oid and deptype = 'e')
    order by one.oid`)
}
