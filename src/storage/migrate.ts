import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Sql, sql } from '../sql/index.ts'
import type { Database, Log, Queryable, Transaction } from './database.ts'

type MigrationFile = {
  /** Numbers start at 1 and have no gaps. */
  readonly number: number
  /** File name, such as `0001-change.sql`. */
  readonly name: string
  /** One or more statements. */
  readonly text: string
  readonly sha256: string
}

const pattern = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * Reads the files `NNNN-name.sql` of a folder, in order. Files without the extension .sql are
 * ignored.
 * @throws Error if a number is missing or used twice, or if the name of a .sql file has another
 * form
 */
export async function readMigrationFiles(directory: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  names.forEach((name, index) => {
    checkName(name, index + 1)
  })
  return Promise.all(names.map((name) => readMigrationFile(directory, name)))
}

function checkName(name: string, expected: number): void {
  const number = pattern.exec(name)?.[1]
  if (number === undefined) {
    throw new Error(`The migration ${name} must be named like 0001-what-it-does.sql`)
  }
  if (Number(number) === expected) return
  const wanted = String(expected).padStart(4, '0')
  throw new Error(
    Number(number) < expected
      ? `Two migrations have the number ${number}. Give the younger one the next free number.`
      : `The migration ${wanted} is missing: ${name} follows right after the one before it. ` +
          `Restore the file ${wanted}-….sql, or, if ${name} was never applied anywhere, renumber it.`,
  )
}

async function readMigrationFile(directory: string, name: string): Promise<MigrationFile> {
  const text = await readFile(join(directory, name), 'utf8')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { number: Number(name.slice(0, 4)), name, text, sha256 }
}

type Applied = { readonly number: number; readonly name: string; readonly sha256: string }

const throwAway =
  'A database without data worth keeping can be thrown away instead: delete the folder HUB_DATA_DIR, ' +
  'or drop and create the database of DATABASE_URL.'

/**
 * Checks that the applied migrations are the first of the files, byte for byte; otherwise two
 * databases of the same version would differ. If there are more of them than files, a newer version
 * applied them, and this one cannot know how to use such a database.
 * @param applied in order of their numbers
 * @throws Error with the wrong file and the remedy
 */
export function checkHistory(applied: readonly Applied[], files: readonly MigrationFile[]): void {
  files.forEach((file, index) => {
    const past = applied[index]
    if (past === undefined) return
    if (past.name !== file.name) {
      throw new Error(
        `The migration ${file.name} is not in the database, which has ${past.name} in its place. ` +
          `Migrations are applied in order: give ${file.name} the next free number. ${throwAway}`,
      )
    }
    if (past.sha256 !== file.sha256) {
      throw new Error(
        `The migration ${file.name} was changed after it was applied to this database. ` +
          `Restore the file as it was and put the change into a new migration. ${throwAway}`,
      )
    }
  })
  const beyond = applied[files.length]
  if (beyond !== undefined) {
    throw new Error(
      `The database was brought up to date by a newer version of the hub: its migration ${beyond.name} is not known to this one. ` +
        'Start the newer version again, or restore a backup from before.',
    )
  }
}

type Options = {
  /** Folder with the files `NNNN-name.sql`. */
  readonly directory: string
  readonly log: Log
  /** Number of the last migration to apply. Default: all. */
  readonly last?: number
}

/** Key of an advisory lock. Nothing else in the database may use the same number. */
const lockKey = 7_413_526_889

/**
 * Applies the missing migrations, forward only, each in a transaction of its own. If two programs
 * start at once, one applies a file while the other waits, and then skips it.
 * @returns the names of the files that this call applied
 * @throws Error if a file fails or was changed after it was applied, if a number is missing, or if
 * a newer version has used the database
 */
export async function migrate(database: Database, options: Options): Promise<readonly string[]> {
  const { directory, log, last } = options
  const files = await readMigrationFiles(directory)
  const applied = await loadApplied(database)
  checkHistory(applied, files)
  const names: string[] = []
  for (const file of files.slice(applied.length, last)) {
    if (!(await applyAlone(database, file))) continue
    log.info({ migration: file.name }, 'Migrated')
    names.push(file.name)
  }
  return names
}

/** Returns the names of the files that are not yet applied, in order. */
export async function pendingMigrations(
  database: Database,
  directory: string,
): Promise<readonly string[]> {
  const files = await readMigrationFiles(directory)
  const applied = await loadApplied(database)
  return files.slice(applied.length).map(({ name }) => name)
}

/** Applies a migration under the lock. Returns false if another program applied it meanwhile. */
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
    // The only text that runs without the `sql` tag: it is part of the program.
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
 * Loads the applied migrations, in order. A new database does not have the table yet and returns
 * none. The table is looked up in the catalog, because `to_regclass` uses a cache that does not see
 * what another session committed while this one waited for the lock.
 */
export async function loadApplied(queryable: Queryable): Promise<readonly Applied[]> {
  const found = await queryable.query(
    sql`select from pg_tables where schemaname = current_schema() and tablename = 'migration'`,
  )
  if (found.length === 0) return []
  return queryable.query<Applied>(sql`select number, name, sha256 from migration order by number`)
}
