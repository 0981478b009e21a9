import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from '../sql/index.ts'
import { loadApplied } from '../storage/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import { listPartitions, loadSpan } from '../timeseries/index.ts'
import { columnsOf, listTables, tableOf } from './list-tables.ts'
import type { Table } from './list-tables.ts'
import { manifestName } from './manifest.ts'
import type { BackupTable, Manifest } from './manifest.ts'
import type { BackupPlace } from './places.ts'

type Making = {
  readonly database: Database
  readonly place: BackupPlace
  /** Version of the hub. */
  readonly version: string
  readonly now: Date
}

/**
 * Writes all rows of a database to a place as they are at one moment; others read and write meanwhile. Memory stays
 * flat. The database need not be of this version, and is not migrated.
 * @throws Error where something is in the place already
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

/** Bytes of a table that are read at once, long values included. */
const portion = 4_000_000

/** The rows of a table as COPY writes them, a number of pages at a time. */
async function* rowsOf(tx: Transaction, table: Table): AsyncGenerator<Buffer> {
  if (tx.copyOut === undefined) throw new Error('The database belongs to another process')
  const step = Math.max(1, Math.floor((table.pages * portion) / Math.max(1, table.bytes)))
  for (let page = 0; page < table.pages; page += step) {
    const [first, end] = [`(${String(page)},0)`, `(${String(page + step)},0)`]
    // COPY takes no values.
    await tx.query(sql`
      select set_config('hub.first_row', ${first}, true), set_config('hub.end_row', ${end}, true)`)
    yield await tx.copyOut(sql`
      copy (
        select ${columnsOf(table)} from ${tableOf(table)}
        where ctid >= current_setting('hub.first_row')::tid
          and ctid < current_setting('hub.end_row')::tid
      ) to stdout`)
  }
}

const newline = 0x0a

/** Writes rows and counts them: each ends with a line break, and those within values are written as `\n`. */
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
