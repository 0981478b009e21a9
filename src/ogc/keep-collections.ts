import { LRUCache } from 'lru-cache'
import { anonymous } from '../access/index.ts'
import { shareRunning } from '../async/index.ts'
import type { Entity } from '../content/index.ts'
import { all, sql } from '../sql/index.ts'
import type { Queryable as Database } from '../storage/index.ts'
import { stationsVersion } from '../timeseries/index.ts'
import type { Collection, Reader } from './collection.ts'
import { contentCollection } from './content-collections.ts'
import type { Described, Extent } from './documents.ts'
import { loadVersion } from './load-items.ts'
import { loadStationCollections } from './station-collections.ts'

export type KeptCollections = {
  readonly all: () => Promise<readonly Described[]>
  readonly find: (id: string) => Promise<Collection | undefined>
  readonly describe: (collection: Collection) => Promise<Described>
}

type Deps = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly visibilityOf: (principal: typeof anonymous) => Reader['visibility']
}

/** Fields of which an entity has one whose records are somewhere. */
const placed = ['GpsInfo', 'GpsPoints', 'Geo', 'Latitude', 'Geometry']

/** The collections there are: one for each entity with places, and one for each station type. */
export function keepCollections(deps: Deps): KeptCollections {
  const { database, entities, publicUrl, visibilityOf } = deps
  const content = entities
    .filter(({ schema }) => placed.some((name) => name in schema.properties))
    .map((entity) => contentCollection(entity, publicUrl))
  const byName = new Map(content.map((collection) => [collection.id, collection]))
  const share = shareRunning<readonly Collection[]>()
  let stations: { readonly version: string; readonly list: readonly Collection[] } | undefined
  const loadStations = async () => {
    const version = await stationsVersion(database)
    if (stations?.version !== version) {
      const isTaken = (id: string) => byName.has(id)
      const list = await share(version, () => loadStationCollections(database, isTaken))
      stations = { version, list }
    }
    return stations.list
  }
  const extents = new LRUCache<string, Extent>({ max: 1000 })
  const describe = async (collection: Collection) => {
    const reader = {
      principal: anonymous,
      visibility: visibilityOf(anonymous),
      language: undefined,
    }
    const version = await loadVersion(database, collection)
    const key = JSON.stringify([collection.id, version, collection.viewFor(reader).where])
    const extent = extents.get(key) ?? (await loadExtent(database, collection, reader))
    extents.set(key, extent)
    return { collection, extent }
  }
  return {
    all: async () => {
      const described: Described[] = []
      for (const one of [...content, ...(await loadStations())]) described.push(await describe(one))
      return described
    },
    find: async (id) => byName.get(id) ?? (await loadStations()).find((one) => one.id === id),
    describe,
  }
}

/** Of what everybody sees, so that closed features do not show in it. */
async function loadExtent(
  database: Database,
  { geometry, viewFor }: Collection,
  reader: Reader,
): Promise<Extent> {
  const { from, where, time } = viewFor(reader)
  const [row] = await database.texts(sql`
    select st_xmin(box), st_ymin(box), st_xmax(box), st_ymax(box), begins, ends
    from (
      select st_extent(${geometry}) as box,
        ${printedTime(sql`min(nullif(${time.from}, '-infinity'))`)} as begins,
        ${printedTime(sql`max(nullif(${time.to}, 'infinity'))`)} as ends
      from ${from} where ${all([where])}) as found`)
  const [west, south, east, north, begins = null, ends = null] = row ?? []
  const box = [west, south, east, north].map((degrees) => Math.round(Number(degrees) * 1e7) / 1e7)
  return { bbox: typeof west === 'string' ? box : null, interval: [begins, ends] }
}

function printedTime(time: ReturnType<typeof sql>) {
  return sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
