import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { createRecordTable } from '../content/index.ts'
import { identifier, join as joined, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Queryable, Transaction } from '../storage/index.ts'
import { layOutMonths } from '../timeseries/index.ts'
import { columnsOf, tableOf } from './list-tables.ts'
import type { Backup, BackupTable, Manifest } from './manifest.ts'

/**
 * Puts all rows of a backup into a database that has the migrations of the backup and nothing else, in one transaction.
 * The columns, indexes and triggers of records are made by whoever opens the hub next. Offsets of change feeds become
 * void, as after every restore.
 */
export async function loadBackup(database: Database, { manifest, folder }: Backup): Promise<void> {
  const work = async (tx: Transaction) => {
    for (const { schema, name } of manifest.tables) {
      if (schema === 'content') await createRecordTable(tx, name)
    }
    await layOutMonths(tx, manifest)
    await prepare(tx, manifest)
    for (const table of manifest.tables) await loadTable(tx, table, join(folder, table.file))
    await finish(tx, manifest)
  }
  await database.transaction(work, { statementTimeout: 0 })
  await database.transaction((tx) => tx.execute(sql`analyze`), { statementTimeout: 0 })
}

/** What a new database has of its own goes; nothing is noted or checked until all rows are there. */
async function prepare(tx: Transaction, manifest: Manifest): Promise<void> {
  for (const table of await withTriggers(tx)) {
    await tx.execute(sql`alter table ${identifier(table)} disable trigger user`)
  }
  await tx.execute(sql`truncate ${joined(manifest.tables.map(tableOf), ', ')}`)
  for (const { table, name } of await foreignKeys(tx)) {
    await tx.execute(
      sql`alter table ${table} alter constraint ${name} deferrable initially deferred`,
    )
  }
}

async function finish(tx: Transaction, { sequences }: Manifest): Promise<void> {
  await tx.execute(sql`set constraints all immediate`)
  for (const { table, name } of await foreignKeys(tx)) {
    await tx.execute(sql`alter table ${table} alter constraint ${name} not deferrable`)
  }
  for (const table of await withTriggers(tx)) {
    await tx.execute(sql`alter table ${identifier(table)} enable trigger user`)
  }
  await tx.query(sql`
    select setval(quote_ident(name)::regclass, value::bigint)
    from unnest(${sequences.map(({ name }) => name)}::text[],
      ${sequences.map(({ value }) => value)}::text[]) as counted (name, value)`)
  // Another place than any a hub runs in: the next start sees that and begins a new epoch.
  await tx.execute(sql`update feed_epoch set place = 'restored'`)
}

async function withTriggers(tx: Queryable): Promise<readonly string[]> {
  const tables = await tx.query<{ name: string }>(sql`
    select distinct relname::text as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and tgparentid = 0 and relnamespace = current_schema()::regnamespace
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`)
  return tables.map(({ name }) => name)
}

async function foreignKeys(tx: Queryable) {
  const keys = await tx.query<{ table: string; name: string }>(sql`
    select relname::text as "table", conname::text as name
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and relnamespace = current_schema()::regnamespace`)
  return keys.map(({ table, name }) => ({ table: identifier(table), name: identifier(name) }))
}

async function loadTable(tx: Transaction, table: BackupTable, path: string): Promise<void> {
  const into = sql`${tableOf(table)} (${columnsOf(table)})`
  const { copy } = tx
  const store =
    copy === undefined
      ? await insertInto(tx, table)
      : (rows: Buffer) => copy(sql`copy ${into} from stdin`, rows)
  for await (const rows of batchesOf(path)) await store(rows)
}

/** For an engine without COPY: rows as texts of the table's own type, which PostgreSQL reads as COPY reads them. */
async function insertInto(tx: Transaction, table: BackupTable) {
  const name = tableOf(table)
  const known = await tx.query<{ name: string }>(sql`
    select attname::text as name from pg_attribute
    where attrelid = ${textOf(name)}::regclass and attnum > 0 and not attisdropped order by attnum`)
  const places = known.map((column) => table.columns.indexOf(column.name))
  const columns = joined(
    table.columns.map((column) => sql`loaded.${identifier(column)}`),
    ', ',
  )
  return async (rows: Buffer) => {
    await tx.execute(sql`
      insert into ${name} (${columnsOf(table)}) overriding system value
      select ${columns} from unnest(${toRecords(rows, places)}::${name}[]) as loaded`)
  }
}

const textOf = ({ text }: Sql) => text

/** Bytes of rows that are stored at once. */
const batch = 1_000_000
const newline = 0x0a

/** The rows of a file, whole ones. */
async function* batchesOf(path: string): AsyncGenerator<Buffer> {
  let [pieces, size]: [Buffer[], number] = [[], 0]
  const unpacked: AsyncIterable<Buffer> = createReadStream(path).pipe(createGunzip())
  for await (const piece of unpacked) {
    pieces.push(piece)
    size += piece.length
    if (size < batch) continue
    const read = Buffer.concat(pieces)
    const end = read.lastIndexOf(newline) + 1
    if (end > 0) yield read.subarray(0, end)
    pieces = [read.subarray(end)]
    size = read.length - end
  }
  if (size > 0) yield Buffer.concat(pieces)
}
/** What stands for a character in the text format of COPY (documentation of PostgreSQL). */
const escapes: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

/**
 * Rows in the text format of COPY as texts of a composite type (documentation of PostgreSQL, section 8.16.2).
 * @param rows each with a line break at its end
 * @param places for each field of the type, the column of the rows; -1 for none
 */
function toRecords(rows: Buffer, places: readonly number[]): readonly string[] {
  return rows
    .toString()
    .slice(0, -1)
    .split('\n')
    .map((row) => {
      const columns = row.split('\t').map(toField)
      return `(${places.map((place) => columns[place] ?? '').join(',')})`
    })
}

/** Nothing at all is null. */
function toField(written: string): string {
  if (written === String.raw`\N`) return ''
  const value = written.includes('\\')
    ? written.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
    : written
  return `"${value.replace(/["\\]/g, '$&$&')}"`
}
