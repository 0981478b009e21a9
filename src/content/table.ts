import { identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import type { Entity, GeneratedColumn } from './entity.ts'

/** The columns that every entity has, for the filters that every list knows (interface 4.2). */
const commonColumns: Readonly<Record<string, GeneratedColumn>> = {
  // An index entry may have 2,704 bytes: 250 characters of four bytes leave room for the identifier,
  // and for 100 characters of one more column.
  shortname: { type: 'text', expression: sql`left(data ->> 'Shortname', 250)` },
  active: { type: 'boolean', expression: sql`content_flag(data -> 'Active')` },
  source: { type: 'text', expression: sql`left(data #>> '{_Meta,Source}', 250)` },
  closed: {
    type: 'boolean',
    expression: sql`coalesce(content_flag(data #> '{LicenseInfo,ClosedData}'), false)`,
  },
  last_change: { type: 'timestamptz', expression: sql`content_time(data ->> 'LastChange')` },
}

/** The table of an entity, schema-qualified. */
export function tableOf(entity: Entity): Sql {
  return sql`content.${identifier(entity.type)}`
}

/** Columns of the default order, ended by the identifier so that the order is total (decision D4). */
export function defaultOrder(entity: Entity): Sql {
  return join([...entity.order, 'id'].map(identifier), ', ')
}

/** Rebuilding a column of a large table takes its time, and no caller waits for it. */
const unlimited = { statementTimeout: 0 }

/**
 * Makes the tables agree with the entity definitions: missing tables, columns and indexes are added,
 * columns whose definition changed are rebuilt from `data`. Safe against two starters at once.
 */
export async function syncEntityTables(
  database: Database,
  entities: readonly Entity[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('content tables'))`)
    for (const entity of entities) await syncEntityTable(tx, entity)
  }, unlimited)
}

async function syncEntityTable(tx: Transaction, entity: Entity): Promise<void> {
  await tx.execute(sql`
    create table if not exists ${tableOf(entity)} (
      id text collate "C" primary key,
      data jsonb not null,
      received timestamptz not null
    )`)
  const known = await loadColumns(tx, entity)
  for (const [name, column] of Object.entries({ ...commonColumns, ...entity.columns })) {
    if (known.get(name) !== describe(column)) await rebuildColumn(tx, entity, { name, column })
  }
  const index = identifier(`${entity.type}_default_order`)
  await tx.execute(
    sql`create index if not exists ${index} on ${tableOf(entity)} (${defaultOrder(entity)})`,
  )
}

async function loadColumns(tx: Transaction, entity: Entity): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ name: string; definition: string }>(
    sql`select name, definition from content_column where entity = ${entity.type}`,
  )
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}

type NamedColumn = { readonly name: string; readonly column: GeneratedColumn }

async function rebuildColumn(tx: Transaction, entity: Entity, { name, column }: NamedColumn) {
  const table = tableOf(entity)
  await tx.execute(sql`alter table ${table} drop column if exists ${identifier(name)}`)
  await tx.execute(sql`
    alter table ${table} add column ${identifier(name)} ${types[column.type]}
    generated always as (${column.expression}) stored`)
  await tx.execute(sql`
    insert into content_column (entity, name, definition)
    values (${entity.type}, ${name}, ${describe(column)})
    on conflict (entity, name) do update set definition = excluded.definition`)
}

/** Texts are collated "C", so that their order, and with it every page, is the same on all servers. */
const types: Readonly<Record<GeneratedColumn['type'], Sql>> = {
  text: sql`text collate "C"`,
  boolean: sql`boolean`,
  timestamptz: sql`timestamptz`,
  'text[]': sql`text[]`,
  'geography(Point, 4326)': sql`geography(Point, 4326)`,
}

function describe(column: GeneratedColumn): string {
  return `${column.type} ${column.expression.text}`
}

/**
 * Fixes the name prefix with the first start and refuses another one later: stored documents carry
 * the prefix in their member names (decision D10).
 */
export async function assertPrefix(database: Database, prefix: string): Promise<void> {
  await database.execute(
    sql`insert into deployment (name, value) values ('prefix', ${prefix}) on conflict do nothing`,
  )
  const [row] = await database.query<{ value: string }>(
    sql`select value from deployment where name = 'prefix'`,
  )
  if (row !== undefined && row.value !== prefix) {
    throw new Error(
      `This database was set up with HUB_PREFIX=${row.value}; it cannot be opened with HUB_PREFIX=${prefix}.`,
    )
  }
}
