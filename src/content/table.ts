import { visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { all, any, identifier, join, literal, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Entity, GeneratedColumn, OrderKey, Profile } from './entity.ts'
import type { Naming } from './naming.ts'

/** The table of an entity, schema-qualified. */
export function tableOf({ type }: Pick<Entity, 'type'>): Sql {
  return sql`content.${identifier(type)}`
}

/** Returns an identifier in the letter case in which the entity looks it up. */
export function toEntityId(entity: Pick<Entity, 'idStyle'>, id: string): string {
  if (entity.idStyle === 'upper') return id.toUpperCase()
  return entity.idStyle === 'lower' ? id.toLowerCase() : id
}

/** Returns an identifier in the letter case in which the entity stores it. */
export function toStoredId(entity: Pick<Entity, 'idStyle' | 'name' | 'tagCase'>, id: string) {
  const isLowered = entity.name === 'Tag' && entity.tagCase === 'lower'
  return isLowered ? id.toLowerCase() : toEntityId(entity, id)
}

/** Returns the absolute URL of a record. */
export function itemAddress(publicUrl: string, { path }: Entity, id: string): string {
  return `${publicUrl}/v1/${path}/${encodeURIComponent(id)}`
}

/**
 * Returns the keys of the default order, which ends with the identifier to be total (decision D4).
 * Missing values sort last. They are replaced by the greatest value, so that an index serves any
 * position in the order.
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

/** SQL for the default order, for `order by`. */
export function defaultOrder(entity: Entity): Sql {
  return orderBy(defaultKeys(entity))
}

/** An index of an entity table; its name is unique within the schema. */
export type TableIndex = { readonly name: string; readonly on: Sql }

/**
 * Size of the list in which new index entries are collected, in kB. The list makes writes several
 * times as fast, but every search must scan it; by default it would grow to 4 MB.
 */
const pending = sql`with (gin_pending_list_limit = 256)`

/** Returns every index of the entity, for its columns and its default order. */
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

type Columns = Readonly<Record<string, GeneratedColumn>>

/**
 * Defines a column with the texts at these paths of a record, as one set. A dot leads into an
 * object: `RoomDetails.Id`.
 */
export function setOf(...paths: readonly string[]): GeneratedColumn {
  return { type: 'text[]', expression: joined(paths, sql`content_strings`), index: 'set' }
}

/** Defines a column like `setOf`, with the texts in lower case. */
export function lowerSetOf(...paths: readonly string[]): GeneratedColumn {
  return { type: 'text[]', expression: joined(paths, sql`content_lower`), index: 'set' }
}

/**
 * SQL that joins the texts at all paths. The JSON path itself walks nested lists, so `Tags.Id` is
 * every Id of `Tags`. The first field is extracted beforehand, which costs little if it is missing,
 * as in most records.
 */
function joined(paths: readonly string[], toSet: Sql): Sql {
  return paths
    .map((path) => sql`coalesce(${toSet}(${valuesAt(path.split('.'))}), '{}')`)
    .reduce((left, right) => sql`${left} || ${right}`)
}

function valuesAt([first = '', ...further]: readonly string[]): Sql {
  const member = sql`data -> ${literal(first)}`
  if (further.length === 0) return member
  return sql`jsonb_path_query_array(${member}, ${literal(`$.${further.join('.')}`)})`
}

/** SQL for the text at a path, cut to fit into an index entry, which has at most 2,704 bytes. */
export function textAt(...path: readonly string[]): Sql {
  return sql`left(data #>> array[${join(path.map(literal), ', ')}], 250)`
}

/** Defines a column with the flag at the first of these paths that has one. */
export function flagAt(...paths: readonly (readonly string[])[]): GeneratedColumn {
  const flags = paths.map(
    (path) => sql`content_flag(data #> array[${join(path.map(literal), ', ')}])`,
  )
  return { type: 'boolean', expression: sql`coalesce(${join(flags, ', ')})`, index: 'none' }
}

export function numberAt(...path: readonly string[]): GeneratedColumn {
  const value = sql`data #> array[${join(path.map(literal), ', ')}]`
  return { type: 'double precision', expression: sql`content_number(${value})`, index: 'none' }
}

export function timeAt(member: string): GeneratedColumn {
  const expression = sql`content_time(data ->> ${literal(member)})`
  return { type: 'timestamptz', expression, index: 'none' }
}

/**
 * SQL for the time of the last change of a record in ISO 8601, for `Last-Modified` and sitemaps. It
 * is never in the future (RFC 9110 section 8.8.2.1), because a record has not changed since it was
 * received. Null for years before 1, which neither can express.
 */
export const lastModified = sql`
  case when last_change >= '0001-01-01 00:00Z' then to_char(
    least(last_change, received, now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`

const place = (kind: string, ...path: readonly string[]) =>
  sql`${literal(kind)} || ${textAt(...path)}`

/** Columns of every entity, for the filters of every list (interface 4.2). */
const commonColumns: Columns = {
  // 250 characters of four bytes leave room for the identifier in an index entry, and for 100
  // characters of one more column.
  shortname: { type: 'text', expression: textAt('Shortname'), index: 'none' },
  active: flagAt(['Active']),
  source: { type: 'text', expression: textAt('_Meta', 'Source'), index: 'btree' },
  closed: {
    type: 'boolean',
    expression: sql`coalesce(content_flag(data #> '{LicenseInfo,ClosedData}'), false)`,
    index: 'none',
  },
  last_change: { ...timeAt('LastChange'), index: 'btree' },
  languages: { ...lowerSetOf('HasLanguage'), index: 'none' },
  tag_ids: setOf('TagIds', 'Tags.Id'),
  published_on: lowerSetOf('PublishedOn'),
  area_ids: setOf('AreaIds', 'AreaId', 'LocationInfo.AreaInfo.Id'),
  // Kind and identifier, spelled as in the location filter.
  places: {
    type: 'text[]',
    expression: sql`array_remove(array[${join(
      [
        place('reg', 'LocationInfo', 'RegionInfo', 'Id'),
        place('tvs', 'LocationInfo', 'TvInfo', 'Id'),
        place('mun', 'LocationInfo', 'MunicipalityInfo', 'Id'),
        place('fra', 'LocationInfo', 'DistrictInfo', 'Id'),
        place('reg', 'RegionId'),
        place('tvs', 'TourismvereinId'),
        place('tvs', 'TourismVereinId'),
        place('mun', 'MunicipalityId'),
        place('fra', 'DistrictId'),
      ],
      ', ',
    )}], null)`,
    index: 'set',
  },
  position: {
    type: 'geography(Point, 4326)',
    expression: sql`content_position(data)`,
    index: 'gist',
  },
}

const tourismColumns = (naming: Naming): Columns => ({
  hub_active: flagAt([naming.active], ['SmgActive']),
  hub_tags: lowerSetOf(`${naming.tags}.Id`, 'SmgTags'),
})

/** Reports whether records have the flag that decides if the platform shows them. */
export function isShown({ naming, schema }: Entity): boolean {
  return naming.active in schema.properties
}

const known = new WeakMap<Entity, Columns>()

/**
 * Returns every generated column of the entity. Cached, because every plan of a list needs them.
 */
export function columnsOf(entity: Entity): Columns {
  const columns = known.get(entity) ?? makeColumns(entity)
  known.set(entity, columns)
  return columns
}

function makeColumns(entity: Entity): Columns {
  const titles = join(entity.titles.map(literal), ', ')
  return {
    ...commonColumns,
    titles: {
      type: 'text',
      expression: sql`content_titles(data, array[${titles}])`,
      index: 'none',
    },
    ...(isShown(entity) ? tourismColumns(entity.naming) : {}),
    ...entity.columns,
  }
}

/**
 * Returns the condition for records of another entity that a caller may see, for statements that
 * consult them to serve this one. The effect of a filter that names a closed record must not reveal
 * it (decision D34).
 */
export function isVisibleRecord(entityName: string, visibility: Visibility): Sql {
  return visible(visibility, 'content', {
    closed: sql`closed`,
    origin: sql`source`,
    type: sql`${entityName}::text`,
  })
}

/** Returns the condition for the records of an entity that a caller may see (decision D60). */
export function isVisible(entity: Entity, visibility: Visibility): Sql {
  return isVisibleFrom(entity, visibility, originOf(entity))
}

/**
 * Returns the condition of `isVisible` for a row that may be absent. Access rules are evaluated
 * even then, so that the response time does not distinguish a closed record from a missing one
 * (decision D34).
 */
export function isVisibleIfPresent(entity: Entity, visibility: Visibility): Sql {
  return isVisibleFrom(
    entity,
    visibility,
    sql`case when id is null then '' else ${originOf(entity)} end`,
  )
}

function originOf({ area }: Entity): Sql {
  return area === 'event' ? sql`origin` : sql`source`
}

function isVisibleFrom(entity: Entity, visibility: Visibility, origin: Sql): Sql {
  const closed = sql`closed`
  const seen =
    entity.area === 'event'
      ? visible(visibility, 'event', { closed, origin, type: sql`category` })
      : visible(visibility, 'content', { closed, origin, type: sql`${entity.name}::text` })
  return entity.within === undefined ? seen : all([seen, entity.within])
}

type Drawing = {
  readonly profile: Profile
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number
}

/**
 * Returns the seed of a random order (decision D25). In the strict profile, 0 draws a number from 1
 * to 10. The compatible profile accepts any number like the public system (reference content.md
 * 3.11): 0 draws a number from 1 to 49, and numbers above 50 are divided by ten until they are at
 * most 50. Anything that is not a number shuffles, too, but gives no seed to repeat the order with.
 * @returns null if nothing is to be shuffled
 */
export function toSeed(
  wanted: string | number | undefined,
  { profile, random }: Drawing,
): Seed | null {
  if (wanted === undefined) return null
  const number = typeof wanted === 'number' ? wanted : Number(wanted)
  if (profile === 'strict') return shownSeed(number === 0 ? 1 + Math.floor(random() * 10) : number)
  if (!/^ *[+-]?\d{1,10} *$/.test(String(wanted))) return { text: '', shown: null }
  if (number === 0) return shownSeed(1 + Math.floor(random() * 49))
  return shownSeed(reduce(number))
}

export type Seed = {
  readonly text: string
  /** Seed in the envelope of the list; null if the order cannot be repeated. */
  readonly shown: string | null
}

const shownSeed = (seed: number): Seed => ({ text: String(seed), shown: String(seed) })

function reduce(seed: number): number {
  return seed <= 50 ? seed : reduce(Math.floor(seed / 10))
}

/** Returns the keys of the order that a seed determines: the same on every page and every node. */
export function seedKeys({ text }: Seed): readonly OrderKey[] {
  const value = sql`md5(id || ${text}::text) collate "C"`
  return [{ ...idKey, name: `seed ${text}`, value }, idKey]
}

/** The last key of every order, which makes it total (decision D4). */
export const idKey: OrderKey = { name: 'id', value: sql`id`, type: 'text', direction: 'ascending' }

const asItIs = (value: Sql) => value

/** SQL for the terms of an `order by`. */
export function orderBy(keys: readonly OrderKey[]): Sql {
  const terms = keys.map(({ value, comparable = asItIs, direction }) =>
    direction === 'ascending' ? comparable(value) : sql`${comparable(value)} desc`,
  )
  return join(terms, ', ')
}

const casts: Readonly<Record<OrderKey['type'], Sql>> = {
  text: sql`::text`,
  timestamptz: sql`::timestamptz`,
  'double precision': sql`::double precision`,
  integer: sql`::integer`,
  jsonb: sql`::jsonb`,
}

/**
 * Returns the condition that a record comes after the one with these values. If all keys have the
 * same direction, it is a single comparison of rows, which an index on the keys serves.
 * @param values values of the keys, in the order of the keys, as texts
 */
export function standsBehind(keys: readonly OrderKey[], values: readonly (string | null)[]): Sql {
  const pairs = keys.map(({ value, type, comparable = asItIs, direction }, index) => ({
    own: comparable(value),
    other: comparable(sql`${values[index] ?? null}${casts[type]}`),
    direction,
  }))
  const [first] = pairs
  if (pairs.every(({ direction }) => direction === first?.direction)) {
    const own = sql`(${join(
      pairs.map((pair) => pair.own),
      ', ',
    )})`
    const other = sql`(${join(
      pairs.map((pair) => pair.other),
      ', ',
    )})`
    return first?.direction === 'descending' ? sql`${own} < ${other}` : sql`${own} > ${other}`
  }
  const steps = pairs.map(({ own, other, direction }, index) => {
    const same = pairs.slice(0, index).map((pair) => sql`${pair.own} = ${pair.other}`)
    const beyond = direction === 'ascending' ? sql`${own} > ${other}` : sql`${own} < ${other}`
    return sql`(${join([...same, beyond], ' and ')})`
  })
  return any(steps)
}
