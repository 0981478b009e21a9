import { Sql, sql } from '../sql/index.ts'
import type { Database, Queryable, Transaction } from './database.ts'
import type { Log } from './log.ts'
import { checkHistory } from './migration-history.ts'
import type { Applied } from './migration-history.ts'
import { readMigrationFiles } from './migration-files.ts'
import type { MigrationFile } from './migration-files.ts'

type Options = {
  /** Folder with the files `NNNN-name.sql`. */
  readonly directory: string
  readonly log: Log
}

/** Any number that nothing else in the database uses for an advisory lock. */
const lockKey = 7_413_526_889

/**
 * Applies the migrations that the database lacks, forward only, each in a transaction of its own.
 * Of two programs that start at once, one applies a file while the other waits, and then skips it.
 * @returns the names of the files that this call applied
 * @throws Error when a file fails or was changed after it was applied, a number is missing, or a newer version was here
 */
export async function migrate(database: Database, options: Options): Promise<readonly string[]> {
  const { directory, log } = options
  const files = await readMigrationFiles(directory)
  const applied = await loadApplied(database)
  checkHistory(applied, files)
  const names: string[] = []
  for (const file of files.slice(applied.length)) {
    if (!(await applyAlone(database, file))) continue
    log.info({ migration: file.name }, 'Migrated')
    names.push(file.name)
  }
  return names
}

/** The names of the files that the database lacks, in order. */
export async function pendingMigrations(
  database: Database,
  directory: string,
): Promise<readonly string[]> {
  const files = await readMigrationFiles(directory)
  const applied = await loadApplied(database)
  return files.slice(applied.length).map(({ name }) => name)
}

/** False when somebody else applied it while this waited for the lock. */
function applyAlone(database: Database, file: MigrationFile): Promise<boolean> {
  const work = async (tx: Transaction) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`)
    const applied = await loadApplied(tx)
    if (applied.some(({ number }) => number === file.number)) return false
    await apply(tx, file)
    return true
  }
  return database.transaction(work, { statementTimeout: 0 })
}

async function apply(
  tx: Transaction,
  { number, name, text, sha256 }: MigrationFile,
): Promise<void> {
  await tx.execute(sql`create table if not exists migration (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied timestamptz not null default now()
  )`)
  try {
    // The one place where a text that the `sql` tag did not make is run: it is part of the program.
    await tx.execute(Sql.fromTemplate([text], []))
  } catch (error) {
    const reason = reasonOf(error)
    throw new Error(`The migration ${name} failed and was rolled back: ${reason}`, { cause: error })
  }
  await tx.execute(
    sql`insert into migration (number, name, sha256) values (${number}, ${name}, ${sha256})`,
  )
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  const [, extension] = /permission denied to create extension "(\w+)"/.exec(reason) ?? []
  if (extension === undefined) return reason
  return (
    `${reason}. A superuser must make it once, in the database of the hub: ` +
    `psql -c 'create extension ${extension}'. Then start the hub again.`
  )
}

/**
 * What was applied, in order; nothing in a new database, which has no table for it yet. Looked up in
 * the catalog's table: `to_regclass` answers from a cache, which does not see what another one
 * committed while this waited for the lock.
 */
async function loadApplied(queryable: Queryable): Promise<readonly Applied[]> {
  const found = await queryable.query(
    sql`select from pg_tables where schemaname = current_schema() and tablename = 'migration'`,
  )
  if (found.length === 0) return []
  return queryable.query<Applied>(sql`select number, name, sha256 from migration order by number`)
}
