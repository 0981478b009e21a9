import { beginEpoch } from '../changes/index.ts'
import { identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import type { Entity, GeneratedColumn } from './entity.ts'
import { columnsOf, indexesOf, tableOf } from './table.ts'
import type { TableIndex } from './table.ts'

/**
 * No time limit, because rebuilding a column of a large table takes long, and no caller waits for
 * it.
 */
const unlimited = { statementTimeout: 0 }

/**
 * Brings the tables into line with the entity definitions: adds missing tables, columns and
 * indexes, and rebuilds those whose definition has changed from `data`. Safe to run in several
 * starting processes at once.
 */
export async function syncEntityTables(
  database: Database,
  entities: readonly Entity[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockTables(tx)
    const known = await loadKnown(tx)
    for (const entity of entities) await syncEntityTable(tx, entity, known)
  }, unlimited)
}

/** Serializes processes that change tables when they start. */
export async function lockTables(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('content tables'))`)
}

type Known = { readonly columns: Definitions; readonly indexes: Definitions }
type Definitions = ReadonlyMap<string, string>

const keyOf = (entity: string, name: string) => `${entity} ${name}`

async function loadKnown(tx: Transaction): Promise<Known> {
  type Definition = { readonly entity: string; readonly name: string; readonly definition: string }
  const toMap = (rows: readonly Definition[]) =>
    new Map(rows.map(({ entity, name, definition }) => [keyOf(entity, name), definition]))
  return {
    columns: toMap(await tx.query<Definition>(sql`select * from content_column`)),
    // Dropping a column drops its indexes, so a recorded index may no longer exist.
    indexes: toMap(
      await tx.query<Definition>(sql`
        select content_index.* from content_index
        join pg_indexes on schemaname = 'content' and indexname = name`),
    ),
  }
}

async function syncEntityTable(tx: Transaction, entity: Entity, known: Known): Promise<void> {
  const columns = Object.entries(columnsOf(entity))
  const isChanged = ([name, column]: readonly [string, GeneratedColumn]) =>
    known.columns.get(keyOf(entity.type, name)) !== describeColumn(column)
  const changed = columns.filter(isChanged)
  await createRecordTable(tx, entity.type)
  if (changed.length > 0) await rebuildColumns(tx, entity, changed)
  // Changing the table rebuilds its indexes anyway, and drops those of dropped columns.
  const stale = indexesOf(entity).filter(
    ({ name, on }) => changed.length > 0 || known.indexes.get(keyOf(entity.type, name)) !== on.text,
  )
  if (stale.length > 0) await rebuildIndexes(tx, entity, stale)
}

/**
 * Creates the table of an entity with the columns that are stored. All other columns are computed
 * from them.
 */
export async function createRecordTable(tx: Transaction, type: string): Promise<void> {
  await tx.execute(sql`
    create table if not exists ${tableOf({ type })} (
      id text collate "C" primary key,
      data jsonb not null,
      received timestamptz not null
    )`)
}

type NamedColumn = readonly [name: string, column: GeneratedColumn]

/**
 * Rebuilds all changed columns at once, because each change of a table rewrites it. They are added
 * as generated columns, which computes them for all existing records; from then on, a trigger fills
 * them.
 */
async function rebuildColumns(tx: Transaction, entity: Entity, columns: readonly NamedColumn[]) {
  const table = tableOf(entity)
  const drop = columns.map(([name]) => sql`drop column if exists ${identifier(name)}`)
  const add = columns.map(
    ([name, { type, expression }]) => sql`
      add column ${identifier(name)} ${types[type]} generated always as (${expression}) stored`,
  )
  await tx.execute(sql`alter table ${table} ${join([...drop, ...add], ', ')}`)
  const keep = columns.map(([name]) => sql`alter column ${identifier(name)} drop expression`)
  await tx.execute(sql`alter table ${table} ${join(keep, ', ')}`)
  await fillColumns(tx, entity)
  const names = columns.map(([name]) => name)
  const definitions = columns.map(([, column]) => describeColumn(column))
  await tx.execute(sql`
    insert into content_column (entity, name, definition)
    select ${entity.type}, name, definition
    from unnest(${names}::text[], ${definitions}::text[]) as changed (name, definition)
    on conflict (entity, name) do update set definition = excluded.definition`)
  // The rights to records may have changed without a change of the records themselves.
  if (names.some((name) => rights.includes(name))) await tx.execute(beginEpoch)
}

/** Columns that access rules are compared with. */
const rights = ['closed', 'source', 'origin', 'category']

async function rebuildIndexes(tx: Transaction, entity: Entity, indexes: readonly TableIndex[]) {
  const names = indexes.map(({ name }) => name)
  const dropped = names.map((name) => sql`content.${identifier(name)}`)
  await tx.execute(sql`drop index if exists ${join(dropped, ', ')}`)
  for (const { name, on } of indexes) {
    await tx.execute(sql`create index ${identifier(name)} on ${tableOf(entity)} using ${on}`)
  }
  await tx.execute(sql`
    insert into content_index (entity, name, definition)
    select ${entity.type}, name, definition
    from unnest(${names}::text[], ${indexes.map(({ on }) => on.text)}::text[]) as made (name, definition)
    on conflict (entity, name) do update set definition = excluded.definition`)
}

/** Texts are collated "C", so that their order, and with it every page, is the same on all servers. */
const types: Readonly<Record<GeneratedColumn['type'], Sql>> = {
  text: sql`text collate "C"`,
  boolean: sql`boolean`,
  timestamptz: sql`timestamptz`,
  'double precision': sql`double precision`,
  'text[]': sql`text[]`,
  tstzmultirange: sql`tstzmultirange`,
  'geography(Point, 4326)': sql`geography(Point, 4326)`,
}

/**
 * Describes a column, to detect changes. The suffix distinguishes columns with a trigger from those
 * of earlier versions, which stayed generated columns.
 */
function describeColumn(column: GeneratedColumn): string {
  return `${column.type} ${column.expression.text} by trigger`
}

/**
 * Makes PostgreSQL compute the columns of a table whenever `data` is written, whoever writes it.
 * This is a trigger, because PostgreSQL plans the expressions of generated columns again for each
 * statement: that takes 1.5 ms for a record that is written on its own, and the trigger 0.2 ms.
 */
async function fillColumns(tx: Transaction, entity: Entity): Promise<void> {
  const name = sql`content.${identifier(`fill_${entity.type}`)}`
  const assignments = Object.entries(columnsOf(entity))
    .map(([column, { expression }]) => sql`new.${identifier(column)} := ${expression};`)
    .reduce((left: Sql, right) => sql`${left} ${right}`)
  await tx.execute(sql`
    create or replace function ${name}() returns trigger language plpgsql as $fill$
    declare
      data jsonb := new.data;
    begin
      ${assignments}
      return new;
    end
    $fill$`)
  await tx.execute(sql`
    create or replace trigger fill before insert or update of data on ${tableOf(entity)}
    for each row execute function ${name}()`)
}
