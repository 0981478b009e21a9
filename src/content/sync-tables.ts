import { beginEpoch } from '../changes/index.ts'
import { identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import type { Entity, GeneratedColumn } from './entity.ts'
import { columnsOf, indexesOf, tableOf } from './table.ts'
import type { TableIndex } from './table.ts'

/** Rebuilding a column of a large table takes its time, and no caller waits for it. */
const unlimited = { statementTimeout: 0 }

/**
 * Makes the tables agree with the entity definitions: missing tables, columns and indexes are added,
 * those whose definition changed are rebuilt from `data`. Safe against two starters at once.
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

/** Has those who change tables at their start do it one after the other. */
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
    // An index goes with a column of it that is dropped, so what is noted may be gone.
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
  // The change of a table rebuilds its indexes anyway, and drops those of dropped columns.
  const stale = indexesOf(entity).filter(
    ({ name, on }) => changed.length > 0 || known.indexes.get(keyOf(entity.type, name)) !== on.text,
  )
  if (stale.length > 0) await rebuildIndexes(tx, entity, stale)
}

/** The table of an entity with what is stored of a record; all other columns are computed from it. */
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
 * All at once, because each change of a table writes the whole table. They are added as generated
 * columns, which computes those of all records there are; from then on they are filled by a trigger.
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
  // Who sees which record may have changed without a change of the record.
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

/** Says also who computes it: before there was a trigger, columns stayed generated. */
function describeColumn(column: GeneratedColumn): string {
  return `${column.type} ${column.expression.text} by trigger`
}

/**
 * Has PostgreSQL compute the columns of a table whenever `data` is written, by whomever. A trigger does
 * it rather than generated columns, because the expressions of those are planned again for each
 * statement: 1.5 ms for each record that is written alone, where this takes 0.2 ms.
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
