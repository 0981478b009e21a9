import { identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { columnsOf } from './columns.ts'
import type { Entity, GeneratedColumn } from './entity.ts'
import { idKey, orderBy } from './list/order.ts'
import type { OrderKey } from './list/order.ts'

/** The table of an entity, schema-qualified. */
export function tableOf(entity: Entity): Sql {
  return sql`content.${identifier(entity.type)}`
}

/**
 * The default order, ended by the identifier so that it is total (decision D4). What has no value
 * stands last: it is given one for that, so that an index serves any place in the order.
 */
export function defaultKeys(entity: Entity): readonly OrderKey[] {
  const columns = columnsOf(entity)
  return [...entity.order.map((name) => defaultKey(name, columns[name]?.type)), idKey]
}

function defaultKey(name: string, type: GeneratedColumn['type'] = 'text'): OrderKey {
  const column = identifier(name)
  return type === 'timestamptz'
    ? { ...idKey, name, value: sql`coalesce(${column}, 'infinity')`, type }
    : { ...idKey, name, value: sql`coalesce(${column}, chr(1114111))` }
}

/** The default order, as `order by` takes it. */
export function defaultOrder(entity: Entity): Sql {
  return orderBy(defaultKeys(entity))
}

/** An index of an entity table; its name is unique within the schema. */
export type TableIndex = { readonly name: string; readonly on: Sql }

/**
 * What was written last waits in a list (kB), which makes writing several times as fast, and which every
 * search goes through: by default it would grow to 4 MB.
 */
const pending = sql`with (gin_pending_list_limit = 256)`

/** Every index of the entity, as its columns and its order want them. */
export function indexesOf(entity: Entity): readonly TableIndex[] {
  const columns = Object.entries(columnsOf(entity))
  const named = (kind: GeneratedColumn['index']) =>
    columns.flatMap(([name, { index }]) => (index === kind ? [name] : []))
  const toIndex = (name: string, on: Sql) => ({ name: `${entity.type}_${name}`, on })
  return [
    toIndex('default_order', sql`btree (${defaultOrder(entity)})`),
    toIndex('sets', sql`gin (${join(named('set').map(identifier), ', ')}) ${pending}`),
    toIndex('titles', sql`gin (titles gin_trgm_ops) ${pending}`),
    toIndex('title_pairs', sql`gin ((content_pairs(titles)) collate "C") ${pending}`),
    // Distances are measured on the globe, areas are drawn on the map (decision D26).
    toIndex('map', sql`gist ((position::geometry))`),
    ...named('btree').map((name) => toIndex(name, sql`btree (${identifier(name)}, id)`)),
    ...named('gist').map((name) => toIndex(name, sql`gist (${identifier(name)})`)),
  ]
}
