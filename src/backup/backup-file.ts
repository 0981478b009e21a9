import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createRecordTable } from '../content/index.ts'
import { identifier, join as joined, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { loadApplied } from '../storage/index.ts'
import type { Database, Queryable, Transaction } from '../storage/index.ts'
import { layOutMonths, listPartitions, loadSpan } from '../timeseries/index.ts'
import { manifestName } from './manifest.ts'
import type { Backup, BackupTable, Manifest } from './manifest.ts'
import type { BackupPlace } from './places.ts'

/**
 * Loads all rows of a backup, in one transaction, into a database that has the migrations of the
 * backup and is otherwise empty. The columns, indexes and triggers of records are created when the
 * hub is opened next. Offsets of change feeds become invalid, as after every restore.
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

/** Empties a new database, and disables triggers and defers foreign keys during the load. */
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
  // A place in which no hub can run: the next start notices that and begins a new epoch.
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

/**
 * Inserts rows in an engine without COPY: as texts of the table's own row type, which PostgreSQL
 * parses like COPY.
 */
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

/** Yields the rows of a file in batches of whole rows. */
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

/** Escape sequences in the text format of COPY (PostgreSQL documentation). */
const escapes: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

/**
 * Converts rows from the text format of COPY to texts of a composite type (PostgreSQL
 * documentation, section 8.16.2).
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

/** Converts a value. In a composite type, null is written as an empty string without quotes. */
function toField(written: string): string {
  if (written === String.raw`\N`) return ''
  const value = written.includes('\\')
    ? written.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
    : written
  return `"${value.replace(/["\\]/g, '$&$&')}"`
}

type Making = {
  readonly database: Database
  readonly place: BackupPlace
  readonly version: string
  readonly now: Date
}

/**
 * Writes all rows of a database to a place, as of a single moment, while other sessions read and
 * write. Memory use stays flat. The database need not be of this version, and is not migrated.
 * @throws Error if the place is not empty
 */
export async function makeBackup({ database, place, version, now }: Making): Promise<Manifest> {
  const folder = await place.begin()
  const manifest = await database.transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    // The place may be slow.
    await tx.query(sql`select set_config('idle_in_transaction_session_timeout', '0', true)`)
    const schema = await describeSchema(tx)
    const tables: BackupTable[] = []
    for (const table of await listTables(tx)) {
      const { schema: within, name, columns } = table
      const file = `${within === null ? '' : `${within}.`}${name}.copy.gz`
      const written = await writeRows(join(folder, file), rowsOf(tx, table))
      const { bytes, sha256 } = written
      await place.take({ file, bytes, sha256 })
      tables.push({ schema: within, name, columns, file, ...written })
    }
    const { engine } = database
    return { format: 1 as const, version, created: now.toISOString(), engine, ...schema, tables }
  })
  await writeManifest(place, folder, manifest)
  return manifest
}

async function describeSchema(tx: Transaction) {
  const migrations = await loadApplied(tx)
  const sequences = await tx.query<{ name: string; value: string }>(sql`
    select sequencename::text as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`)
  const [months, span] = [await listPartitions(tx), await loadSpan(tx)]
  return {
    migrations: migrations.map(({ number, name, sha256 }) => ({ number, name, sha256 })),
    ...{ sequences: [...sequences], months: [...months], span },
  }
}

/**
 * Maximum number of bytes that are read from a table at once, counting long values as stored. A
 * single longer row is still read.
 */
const portion = 4_000_000

/** More rows than any page can have. */
const rowsOfPage = 2048

/**
 * Yields the rows of a table in COPY format: several pages at a time, or fewer if rows are long.
 */
async function* rowsOf(tx: Transaction, table: Table): AsyncGenerator<Buffer> {
  if (tx.copyOut === undefined) throw new Error('The database belongs to another process')
  const pages = Math.max(1, Math.floor((table.pages * portion) / Math.max(1, table.bytes)))
  const end = table.pages * rowsOfPage
  for (let from = 0, size = 0; from < end; from += size) {
    size = pages * rowsOfPage
    while ((await chooseRows(tx, table, { from, to: from + size })) > portion && size > 1)
      size = Math.ceil(size / 2)
    yield await tx.copyOut(sql`
      copy (select ${columnsOf(table)} from ${tableOf(table)} where ${chosen}) to stdout`)
  }
}

/** Condition for the rows chosen by `chooseRows`, because COPY accepts no bound values. */
const chosen = sql`
  ctid >= current_setting('hub.first_row')::tid and ctid < current_setting('hub.end_row')::tid`

/** Chooses rows by their position. @returns their size in bytes if they may be long, otherwise 0 */
async function chooseRows(
  tx: Transaction,
  table: Table,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  const placeOf = (row: number) =>
    `(${String(Math.floor(row / rowsOfPage))},${String(row % rowsOfPage)})`
  await tx.query(sql`
    select set_config('hub.first_row', ${placeOf(from)}, true),
      set_config('hub.end_row', ${placeOf(to)}, true)`)
  if (!table.hasLongValues) return 0
  const bytes = table.columns
    .map((column) => sql`coalesce(pg_column_size(${identifier(column)}), 0)`)
    .reduce((left, right) => sql`${left} + ${right}`)
  const [row] = await tx.texts(sql`select sum(${bytes}) from ${tableOf(table)} where ${chosen}`)
  return Number(row?.[0])
}

/**
 * Writes rows and counts them. Each row ends with a line break, and line breaks within values are
 * written as `\n`.
 */
async function writeRows(path: string, portions: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  async function* counted() {
    for await (const part of portions) {
      for (let at = part.indexOf(newline); at !== -1; at = part.indexOf(newline, at + 1)) rows += 1
      yield part
    }
  }
  async function* measured(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  const file = createWriteStream(path, { mode: 0o600, flush: true })
  await pipeline(counted, createGzip({ level: 3 }), measured, file)
  return { rows, bytes, sha256: hash.digest('hex') }
}

async function writeManifest(place: BackupPlace, folder: string, manifest: Manifest) {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  await pipeline(
    [text],
    createWriteStream(join(folder, manifestName), { mode: 0o600, flush: true }),
  )
  const sha256 = createHash('sha256').update(text).digest('hex')
  await place.take({ file: manifestName, bytes: text.length, sha256 })
}

type Named = Pick<BackupTable, 'schema' | 'name'>

type Table = Named &
  Pick<BackupTable, 'columns'> & {
    /** Pages of the main file, without long values. */
    readonly pages: number
    readonly bytes: number
    /** Whether it has values that are stored outside the main file. */
    readonly hasLongValues: boolean
  }

/**
 * Tables that describe the database itself or the processes that run on it. They are not saved,
 * because the hub creates them again.
 */
const left = ['migration', 'node', 'content_column', 'content_index']

/**
 * Lists all tables with data, except those of extensions. Columns that are computed from the `data`
 * of records are omitted.
 */
async function listTables(database: Queryable): Promise<readonly Table[]> {
  const rows = await database.query<
    Named & { columns: string[]; pages: string; bytes: string; hasLongValues: boolean }
  >(sql`
    select nullif(nspname, current_schema())::text as schema, relname::text as name,
      array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
          and not (nspname = 'content' and (relname, attname) in (select entity, name from content_column))
        order by attnum) as columns,
      (pg_relation_size(pg_class.oid) / current_setting('block_size')::integer)::text as pages,
      pg_table_size(pg_class.oid)::text as bytes,
      coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) > 0 as "hasLongValues"
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname in (current_schema(), 'content', 'measurement_archive')
      and relname <> all(${left}::text[])
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by nspname, relname`)
  return rows.map(({ pages, bytes, ...table }) => {
    return { ...table, pages: Number(pages), bytes: Number(bytes) }
  })
}

function tableOf({ schema, name }: Named): Sql {
  return schema === null ? identifier(name) : sql`${identifier(schema)}.${identifier(name)}`
}

function columnsOf({ columns }: Pick<BackupTable, 'columns'>): Sql {
  return joined(columns.map(identifier), ', ')
}
