import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Check } from 'typebox/value'
import { identifier, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import { progress, takenOver } from './copy.ts'
import type { Copy, CopyDeps, FeedCopy, Progress } from './copy.ts'
import type { Message } from './messages.ts'

type Deps = Pick<CopyDeps, 'writer'> & { readonly database: Database; readonly schema: string }

/**
 * Timeout in milliseconds. Removing the records of a large list takes longer than a request may.
 */
const limits = { statementTimeout: 600_000 }

/**
 * Opens a copy in PostgreSQL tables: `mirror_record`, `mirror_offset`, and `mirror_writer`, which
 * names the mirror that writes.
 */
export async function openDatabaseCopy(deps: Deps): Promise<Copy> {
  const { database } = deps
  const tables = tablesIn(deps.schema)
  await database.transaction((tx) => prepare(tx, deps))
  const folder = await mkdtemp(join(tmpdir(), 'hub-mirror-'))
  return {
    folder,
    open: (feed) => openFeed({ ...deps, ...tables }, feed),
    close: async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Tables = { readonly records: Sql; readonly offsets: Sql; readonly writers: Sql }

function tablesIn(schema: string): Tables {
  return {
    records: sql`${identifier(schema)}.mirror_record`,
    offsets: sql`${identifier(schema)}.mirror_offset`,
    writers: sql`${identifier(schema)}.mirror_writer`,
  }
}

/**
 * Registers this mirror as the writer. Creates the tables only if they are missing, so that a
 * database user who may only write to them needs no right to create them.
 */
async function prepare(tx: Transaction, { schema, writer }: Deps): Promise<void> {
  const { writers } = tablesIn(schema)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`hub mirror ${schema}`}))`)
  const [row] = await tx.texts(sql`
    select count(*) from pg_tables
    where schemaname = ${schema} and tablename in ('mirror_record', 'mirror_offset', 'mirror_writer')`)
  if (row?.[0] !== '3') await createTables(tx, schema)
  await tx.execute(sql`update ${writers} set writer = ${writer}`)
}

async function createTables(tx: Transaction, schema: string): Promise<void> {
  const { records, offsets, writers } = tablesIn(schema)
  await tx.execute(sql`create schema if not exists ${identifier(schema)}`)
  await tx.execute(sql`
    create table ${records} (
      feed text not null,
      key text not null,
      type text not null,
      value jsonb not null,
      generation integer not null,
      primary key (feed, key))`)
  await tx.execute(sql`
    create table ${offsets} (
      feed text primary key,
      "offset" text not null,
      phase text not null,
      generation integer not null,
      files jsonb not null,
      changed_at timestamptz not null default now())`)
  await tx.execute(sql`create table ${writers} (writer text not null)`)
  await tx.execute(sql`insert into ${writers} values ('')`)
}

type Parts = Deps & Tables

async function openFeed(parts: Parts, feed: string): Promise<FeedCopy> {
  const { database, records, offsets } = parts
  const [row] = await database.texts(sql`
    select generation, phase, "offset", files from ${offsets} where feed = ${feed}`)
  const change = (next: Progress, work: (tx: Transaction) => Promise<unknown>) =>
    database.transaction(async (tx) => {
      await assertMine(parts, tx)
      await work(tx)
      await storeProgress(parts, tx, { feed, next })
    }, limits)
  return {
    progress: row && toProgress(row),
    apply: (messages, next) =>
      change(next, (tx) => applyAll(parts, tx, { feed, messages, generation: next.generation })),
    sweep: (next) =>
      change(next, (tx) =>
        tx.execute(sql`
          delete from ${records} where feed = ${feed} and generation < ${next.generation}`),
      ),
    close: async () => undefined,
  }
}

/** Throws if another mirror has taken over. The row lock allows that only between transactions. */
async function assertMine({ writers, writer, schema }: Parts, tx: Transaction): Promise<void> {
  const rows = await tx.texts(sql`select from ${writers} where writer = ${writer} for share`)
  if (rows.length === 0) throw takenOver(`the schema ${schema}`)
}

function toProgress(row: readonly (string | null)[]): Progress | undefined {
  const [generation, phase, offset, files] = row
  const list: unknown = JSON.parse(files ?? '[]')
  const found: unknown = { generation: Number(generation), phase, offset, files: list }
  return Check(progress, found) ? found : undefined
}

type Stored = { readonly feed: string; readonly next: Progress }

async function storeProgress(
  { offsets }: Parts,
  tx: Transaction,
  { feed, next }: Stored,
): Promise<void> {
  const { generation, phase, offset, files } = next
  await tx.execute(sql`
    insert into ${offsets} (feed, "offset", phase, generation, files)
    values (${feed}, ${offset}, ${phase}, ${generation}, ${JSON.stringify(files)}::jsonb)
    on conflict (feed) do update set "offset" = excluded."offset", phase = excluded.phase,
      generation = excluded.generation, files = excluded.files, changed_at = now()`)
}

type Batch = {
  readonly feed: string
  readonly messages: readonly Message[]
  readonly generation: number
}

/**
 * Applies the last message of each key, because PostgreSQL can change a row only once per
 * statement.
 */
async function applyAll(
  { records }: Parts,
  tx: Transaction,
  { feed, messages, generation }: Batch,
): Promise<void> {
  const last = [...new Map(messages.map((message) => [message.key, message])).values()]
  const gone = last.filter(({ operation }) => operation === 'delete').map(({ key }) => key)
  const kept = last.filter(({ operation }) => operation !== 'delete').map(({ text }) => text)
  if (kept.length > 0) {
    await tx.execute(sql`
      insert into ${records} as known (feed, key, type, value, generation)
      select ${feed}, message ->> 'key', message ->> 'type', message -> 'value', ${generation}::integer
      from unnest(${kept}::text[]) as line (text) cross join lateral (select text::jsonb as message) as one
      on conflict (feed, key) do update
        set type = excluded.type, value = excluded.value, generation = excluded.generation`)
  }
  if (gone.length === 0) return
  await tx.execute(sql`delete from ${records} where feed = ${feed} and key = any(${gone}::text[])`)
}
