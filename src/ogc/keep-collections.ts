import { LRUCache } from 'lru-cache'
import { anonymous } from '../access/index.ts'
import { shareRunning } from '../async/index.ts'
import { needsToken } from '../content/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import { all, sql } from '../sql/index.ts'
import type { Queryable as Database } from '../storage/index.ts'
import { stationsVersion } from '../timeseries/index.ts'
import type { Collection, Reader, View } from './collection.ts'
import { contentCollection } from './content-collections.ts'
import { types } from './documents.ts'
import type { Described, Extent } from './documents.ts'
import { loadStationCollections } from './station-collections.ts'

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

/** Fields of which an entity has one whose records are somewhere. */
const placed = ['GpsInfo', 'GpsPoints', 'Geo', 'Latitude', 'Geometry']

/** Those whose records are somewhere and open to everybody. */
function placedEntities({ entities, profile = 'strict' }: Pick<Deps, 'entities' | 'profile'>) {
  return entities
    .filter((entity) => !needsToken(entity, profile))
    .filter(({ schema }) => placed.some((name) => Object.hasOwn(schema.properties, name)))
}

/** A station type that is called like an entity has a name of its own. */
const idOfStations = (type: string, isTaken: boolean) => (isTaken ? `stations.${type}` : type)

type Dataset = { readonly service: string; readonly type: string }

/** The standard, for the datasets of the catalogue that are collections, each with the address of its features. */
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

/** The collections there are: one for each entity with places, and one for each station type. */
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

/** For how long an extent is told, in ms: what moves with each value would differ from page to page. */
const longestAge = 300_000

/** Describes collections as everybody sees them, so that closed features do not show in their extents. */
function extentReader(database: Database, visibilityOf: () => Reader['visibility']) {
  const extents = new LRUCache<string, Extent>({ max: 1000, ttl: longestAge })
  const share = shareRunning<Extent>()
  return async (collection: Collection): Promise<Described> => {
    const visibility = visibilityOf()
    const view = collection.viewFor({ principal: anonymous, visibility, language: undefined })
    const { text, values } = view.where
    const { from } = view.time
    const key = JSON.stringify([collection.id, text, values, from.text, from.values])
    const load = () => share(key, () => loadExtent(database, collection, view))
    const extent = extents.get(key) ?? (await load())
    // What was empty may be filled at any time.
    if (extent.bbox !== null) extents.set(key, extent)
    return { collection, extent }
  }
}

/** Around a box, as a part of its sides and in degrees: the same box in another system is not one in degrees. */
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
        ${printedTime(sql`min(nullif(${time.from}, '-infinity'))`)} as begins,
        ${printedTime(sql`max(nullif(${time.to}, 'infinity'))`)} as ends
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
