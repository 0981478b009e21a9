import { LRUCache } from 'lru-cache'
import { anonymous, seesAll, visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { shareRunning } from '../async/index.ts'
import { needsToken } from '../content/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import { all, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable as Database } from '../storage/index.ts'
import {
  describeStationType,
  listFields,
  stationsVersion,
  versionsOfLatest,
  visibleColumns,
} from '../timeseries/index.ts'
import type { Collection, Kind, ListedProperty, Queryable, Reader, View } from './collection.ts'
import { asKind, contentCollection } from './content-collections.ts'
import { types } from './documents.ts'
import type { Described, Extent } from './documents.ts'
import { isObject, parseObject } from '../lang/json.ts'

export type KeptCollections = {
  readonly all: () => Promise<readonly Collection[]>
  readonly find: (id: string) => Promise<Collection | undefined>
  readonly describe: (collection: Collection) => Promise<Described>
}

type Deps = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly profile?: Profile
  readonly visibilityOf: (principal: typeof anonymous) => Reader['visibility']
}

/** Fields that hold a place. The records of an entity with one of them are features. */
const placed = ['GpsInfo', 'GpsPoints', 'Geo', 'Latitude', 'Geometry']

/** Returns the entities whose records have a place and are open to everyone. */
function placedEntities({ entities, profile = 'strict' }: Pick<Deps, 'entities' | 'profile'>) {
  return entities
    .filter((entity) => !needsToken(entity, profile))
    .filter(({ schema }) => placed.some((name) => Object.hasOwn(schema.properties, name)))
}

/**
 * Returns the collection id of a station type. A type that has the same name as an entity gets a
 * prefix.
 */
const idOfStations = (type: string, isTaken: boolean) => (isTaken ? `stations.${type}` : type)

type Dataset = { readonly service: string; readonly type: string }

/**
 * Returns a function that lists this standard for a dataset of the catalogue, with the URL of its
 * features, if the dataset is a collection.
 */
export function ogcStandard(deps: Pick<Deps, 'entities' | 'publicUrl' | 'profile'>) {
  const names = new Set(placedEntities(deps).map(({ name }) => name))
  const idOf = ({ service, type }: Dataset) => {
    if (service === 'timeseries') return idOfStations(type, names.has(type))
    return service === 'content' && names.has(type) ? type : undefined
  }
  return (dataset: Dataset) => {
    const id = idOf(dataset)
    if (id === undefined) return []
    const url = `${deps.publicUrl}/ogc/collections/${encodeURIComponent(id)}/items`
    return [{ name: 'OGC API Features', version: '1.0', url, mediaType: types.geojson }]
  }
}

/**
 * Provides the existing collections: one for each entity with places, and one for each station
 * type. Station types are reloaded when their version changes.
 */
export function keepCollections(deps: Deps): KeptCollections {
  const { database, publicUrl, visibilityOf } = deps
  const content = placedEntities(deps).map((entity) => contentCollection(entity, publicUrl))
  const byName = new Map(content.map((collection) => [collection.id, collection]))
  const share = shareRunning<readonly Collection[]>()
  let stations: { readonly version: string; readonly list: readonly Collection[] } | undefined
  const loadStations = async () => {
    const version = await stationsVersion(database)
    if (stations?.version !== version) {
      const idOf = (type: string) => idOfStations(type, byName.has(type))
      const list = await share(version, () => loadStationCollections(database, idOf))
      stations = { version, list }
    }
    return stations.list
  }
  const all = async () => [...content, ...(await loadStations())]
  const describe = extentReader(database, () => visibilityOf(anonymous))
  return {
    all,
    describe,
    find: async (id) => byName.get(id) ?? (await loadStations()).find((one) => one.id === id),
  }
}

/**
 * Time in milliseconds for which an extent is cached. If it changed with each value, it would
 * differ from page to page.
 */
const maxAge = 300_000

/**
 * Describes collections as an anonymous caller sees them, so that extents do not reveal closed
 * features.
 */
function extentReader(database: Database, visibilityOf: () => Reader['visibility']) {
  const extents = new LRUCache<string, Extent>({ max: 1000, ttl: maxAge })
  const share = shareRunning<Extent>()
  return async (collection: Collection): Promise<Described> => {
    const visibility = visibilityOf()
    const view = collection.viewFor({ principal: anonymous, visibility, language: undefined })
    const { text, values } = view.where
    const { from } = view.time
    const key = JSON.stringify([collection.id, text, values, from.text, from.values])
    const load = () => share(key, () => loadExtent(database, collection, view))
    const extent = extents.get(key) ?? (await load())
    // An empty collection may get its first features at any time, so its extent is not cached.
    if (extent.bbox !== null) extents.set(key, extent)
    return { collection, extent }
  }
}

/**
 * Margin around a box, as a fraction of its sides and with a minimum in degrees. A box in another
 * system is not a box in degrees.
 */
const margin = { part: 0.05, least: 0.1 }

async function loadExtent(
  database: Database,
  { geometry }: Collection,
  { from, where, time }: View,
): Promise<Extent> {
  const [row] = await database.texts(sql`
    select st_xmin(box), st_ymin(box), st_xmax(box), st_ymax(box), begins, ends
    from (
      select st_extent(${geometry}) as box,
        ${printedTime(sql`nullif(min(${time.from}), '-infinity')`)} as begins,
        ${printedTime(sql`nullif(max(${time.to}), 'infinity')`)} as ends
      from ${from} where ${all([where])}) as found`)
  const [west, south, east, north, begins = null, ends = null] = row ?? []
  const isSomewhere = typeof west === 'string'
  const box = [Number(west), Number(south), Number(east), Number(north)] as const
  return { bbox: isSomewhere ? widened(box) : null, interval: [begins, ends] }
}

type Box = readonly [west: number, south: number, east: number, north: number]

function widened([west, south, east, north]: Box): readonly number[] {
  const around = (size: number) => Math.max(margin.least, size * margin.part)
  const [x, y] = [around(east - west), around(north - south)]
  const rounded = (degrees: number) => Math.round(degrees * 1e4) / 1e4
  return [
    rounded(Math.max(-180, west - x)),
    rounded(Math.max(-90, south - y)),
    rounded(Math.min(180, east + x)),
    rounded(Math.min(90, north + y)),
  ]
}

function printedTime(time: ReturnType<typeof sql>) {
  return sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/**
 * Maximum number of data types whose latest values are listed as properties. Filters may name
 * others, too.
 */
const maxDataTypes = 100

/**
 * Loads one collection for each station type that has stations. Its features are the stations with
 * their latest values.
 * @param idOf returns the collection id of a station type
 */
async function loadStationCollections(
  database: Database,
  idOf: (type: string) => string,
): Promise<readonly Collection[]> {
  const rows = await database.texts(sql`
    select type from station_types() as type
    where exists (select from station where station.type = type.type and available)
    order by type`)
  const types = rows.flatMap(([type]) => type ?? [])
  return Promise.all(
    types.map(async (type) => ({ ...(await stationCollection(database, type)), id: idOf(type) })),
  )
}

async function stationCollection(database: Database, type: string): Promise<Collection> {
  const [fields, dataTypes] = await Promise.all([
    listFields(database, type),
    loadDataTypes(database, type),
  ])
  const metadata = fields.flatMap(({ name, type: kind, shown }): ListedProperty[] => {
    if (!name.startsWith('smetadata.')) return []
    const isKnown = kind === 'text' || kind === 'number' || kind === 'boolean'
    return [{ name, type: isKnown ? kind : 'any', title: shown?.label[2] ?? null }]
  })
  const values = [...dataTypes].flatMap(([name, type]): readonly ListedProperty[] => [
    { name: `mvalue.${name}`, type, title: name },
    { name: `mvalidtime.${name}`, type: 'time', title: null },
  ])
  const properties = [...stationProperties, ...metadata, ...values]
  return {
    id: type,
    ...describeStationType(type),
    dataset: `timeseries/${type}`,
    key: sql`s.code`,
    geometry: sql`s.point`,
    timeOf: 'mvalidtime of the newest value',
    properties,
    version: versionsOfLatest([type]),
    viewFor: (reader, names) => viewOf({ type, properties }, reader, names),
  }
}

/**
 * Loads the data types of stations by name, with the type of their values, or `any` unless all of
 * them are numbers or all are texts.
 */
async function loadDataTypes(
  database: Database,
  type: string,
): Promise<ReadonlyMap<string, ListedProperty['type']>> {
  const rows = await database.texts(sql`
    select t.name, case when min(x.kind) = max(x.kind) then min(x.kind) end
    from series as x
    join station as s on s.id = x.station_id
    join data_type as t on t.id = x.data_type_id
    where s.type = ${type} and s.available
    group by t.name order by t.name limit ${maxDataTypes}::bigint`)
  return new Map(
    rows.flatMap(([name, kind]) => {
      const isKnown = kind === 'number' || kind === 'text'
      return typeof name === 'string' ? [[name, isKnown ? kind : 'any'] as const] : []
    }),
  )
}

const stationProperties: readonly ListedProperty[] = [
  { name: 'scode', type: 'text', title: 'Code' },
  { name: 'sname', type: 'text', title: 'Name' },
  { name: 'sorigin', type: 'text', title: 'Origin' },
  { name: 'sactive', type: 'boolean', title: 'Whether it is in operation' },
  { name: 'pcode', type: 'text', title: 'Code of the parent station' },
]

type Viewed = Pick<Collection, 'properties'> & { readonly type: string }

function viewOf(
  { type, properties }: Viewed,
  { visibility }: Reader,
  names?: readonly string[],
): View {
  const values = valuesFor(type, visibility)
  const known = new Map(properties.map((property) => [property.name, property.type]))
  const pathOf = (name: string) => pathInMetadata(name, known)
  const newest = sql`(select max(m.valid_time) ${values(sql`true`)})`
  return {
    from: sql`
      station as s
      left join station as p on p.id = s.parent_id`,
    where: sql`s.type = ${type} and s.available`,
    time: { from: newest, to: newest },
    queryables: {
      names: [...known.keys()],
      geometry: sql`s.point`,
      find: (name) => {
        const found = findProperty(name, values, pathOf)
        return found && { ...found, type: known.get(name) ?? found.type }
      },
    },
    columns: propertiesOf(values),
    write: (text) => (names === undefined ? text : pick(text, names, pathOf)),
    withheld: seesAll(visibility, 'timeseries', { types: [type] }) ? [] : ['records'],
  }
}

/**
 * Returns the keys that lead to a property of the metadata. The rest of a listed name is one key,
 * even if it contains dots.
 */
function pathInMetadata(name: string, listed: ReadonlyMap<string, unknown>): readonly string[] {
  const [, ...keys] = name.split('.')
  return listed.has(name) ? [keys.join('.')] : keys
}

type PathOf = (name: string) => readonly string[]

function pick(text: string, names: readonly string[], pathOf: PathOf): string {
  const all = parseObject(text)
  const valueOf = (name: string) => {
    if (!name.startsWith('smetadata.')) return all[name]
    const [key = '', ...inside] = pathOf(name)
    return inside.reduce(memberOf, all[`smetadata.${key}`])
  }
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, valueOf(name) ?? null])))
}

/** Returns a member like PostgreSQL's operator #>, which filters use. */
function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/.test(key) ? value.at(Number(key)) : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/**
 * SQL that follows a `select`: the latest values of a station that are visible to the reader and
 * match a condition.
 */
type Values = (condition: Sql) => Sql

function valuesFor(type: string, visibility: Visibility): Values {
  const sees = visible(visibility, 'timeseries', {
    ...visibleColumns,
    types: [type],
  })
  return (condition) => sql`
    from series as x
    join latest as m on m.series_id = x.id
    join data_type as t on t.id = x.data_type_id
    where x.station_id = s.id and ${sees} and ${condition}`
}

const value = sql`coalesce(to_jsonb(m.number), m.json, to_jsonb(m.text))`
const newestFirst = sql`m.valid_time desc, x.period, x.kind`

/** Returns SQL for all properties of a station in one object, under the names that filters use. */
function propertiesOf(values: Values): Sql {
  return sql`
    jsonb_build_object(
      'scode', s.code, 'sname', s.name, 'sorigin', s.origin, 'sactive', s.active, 'pcode', p.code)
    || coalesce((
      select jsonb_object_agg('smetadata.' || key, value)
      from jsonb_each(case jsonb_typeof(s.metadata) when 'object' then s.metadata end)), '{}')
    || coalesce((
      select jsonb_object_agg('mvalue.' || name, value)
        || jsonb_object_agg('mvalidtime.' || name, moment)
      from (
        select distinct on (t.name) t.name, ${value} as value,
          to_char(m.valid_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moment
        ${values(sql`true`)}
        order by t.name, ${newestFirst}) as newest), '{}')`
}

const columns: ReadonlyMap<string, Queryable> = new Map([
  ['scode', ofKind('text', sql`s.code`)],
  ['sname', ofKind('text', sql`s.name`)],
  ['sorigin', ofKind('text', sql`s.origin`)],
  ['sactive', ofKind('boolean', sql`s.active`)],
  ['pcode', ofKind('text', sql`p.code`)],
  ['geometry', { type: 'geometry', as: () => sql`null` }],
])

function ofKind(type: Kind, own: Sql): Queryable {
  return { type, as: () => own }
}

function findProperty(name: string, values: Values, pathOf: PathOf): Queryable | undefined {
  const [group, ...rest] = name.split('.')
  const inside = rest.join('.')
  if (rest.length === 0) return columns.get(name)
  const newest = (what: Sql) =>
    sql`(select ${what} ${values(sql`t.name = ${inside}`)} order by ${newestFirst} limit 1)`
  switch (group) {
    case 'smetadata':
      return { type: 'any', as: (kind) => asKind(sql`s.metadata #> ${pathOf(name)}::text[]`, kind) }
    case 'mvalue':
      return {
        type: 'any',
        as: (kind) => (kind === 'number' ? newest(sql`m.number`) : asKind(newest(value), kind)),
      }
    case 'mvalidtime':
      return ofKind('time', newest(sql`m.valid_time`))
    default:
      return undefined
  }
}
