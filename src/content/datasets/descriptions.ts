import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Visibility } from '../../access/index.ts'
import { readYaml } from '../../lang/read-yaml.ts'
import { sql } from '../../sql/index.ts'
import type { Database, Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { tableOf } from '../table.ts'
import { registrar, storeRecords } from '../write/store-records.ts'
import type { ContentRecord } from '../write/to-stored.ts'

const inLanguages = Type.Object({ de: Type.String(), it: Type.String(), en: Type.String() })

const description = Type.Object({
  dataspace: Type.Enum(['tourism', 'mobility', 'weather', 'other']),
  title: inLanguages,
  description: inLanguages,
})

/** Text in German, Italian and English. */
export type InLanguages = Static<typeof inLanguages>

type Description = Static<typeof description>

/** Descriptions of content entities, keyed by the name of the entity. */
const descriptions = readYaml(
  new URL('descriptions.yaml', import.meta.url),
  Type.Record(Type.String(), description),
)

type MobilityDataset = {
  readonly kind: 'node' | 'edge' | 'event'
  readonly name: string
}

/**
 * Functions that the content service needs from the time series service. The composition root
 * supplies them.
 */
export type Mobility = {
  readonly load: (database: Queryable) => Promise<readonly MobilityDataset[]>
  /** Counts the records that a caller with these rights sees. */
  readonly count: (
    database: Queryable,
    dataset: MobilityDataset,
    visibility: Visibility,
  ) => Promise<{ readonly open: number; readonly closed: number }>
  /** Returns the name under which the version of the dataset is stored. */
  readonly versionedAs: (dataset: MobilityDataset) => string
}

/** Substitute for the time series service on a hub that serves content only. */
export const noMobility: Mobility = {
  load: () => Promise.resolve([]),
  count: () => Promise.resolve({ open: 0, closed: 0 }),
  versionedAs: ({ kind, name }) => `${kind}/${name}`,
}

const roots = { node: 'flat,node', edge: 'flat,edge', event: 'flat,event' } as const

/** Returns the path of a dataset, segment by segment. */
function pathOf({ kind, name }: MobilityDataset): readonly string[] {
  return ['v2', roots[kind], name]
}

/**
 * Returns the dataset at a path. It is undefined for any other path, such as a list of several
 * types.
 */
export function mobilityAt([version, root, name, ...more]: readonly string[]):
  | MobilityDataset
  | undefined {
  if (version !== 'v2' || name === undefined || /[*,]/.test(name)) return undefined
  // Data types may follow the station type; the records are still the same stations.
  const kind = kinds.find(
    (one) => roots[one] === root || root === roots[one].replace('flat', 'tree'),
  )
  const isNode = kind === 'node' || root === 'flat' || root === 'tree'
  if (isNode) return { kind: 'node', name }
  return kind === undefined || more.length > 0 ? undefined : { kind, name }
}

const kinds = ['node', 'edge', 'event'] as const

/**
 * Returns the title and description of an entity's dataset. An entity without a description has its
 * name as the title.
 */
export function wordsOf(naming: Naming, name: string): Description {
  const nothing = { de: '', it: '', en: '' }
  return (
    describeEntity(naming, name) ?? {
      dataspace: 'other',
      title: sameInAll(name),
      description: nothing,
    }
  )
}

function sameInAll(text: string): InLanguages {
  return { de: text, it: text, en: text }
}

/**
 * Returns the description of a content entity. The entity of activities is named after the
 * deployment, so its description has a fixed key.
 */
function describeEntity(naming: Naming, name: string): Description | undefined {
  return descriptions[name === naming.activityPoi ? 'ActivityPoi' : name]
}

/** Describes a dataset of the time series service, of which only kind and name are known. */
function describeMobility({ kind, name }: MobilityDataset): Description {
  const dataspace = 'mobility'
  switch (kind) {
    case 'node':
      return {
        dataspace,
        title: sameInAll(name),
        description: {
          en: `Stations of the type ${name}, their latest values and history.`,
          de: `Stationen vom Typ ${name}, ihre letzten Werte und deren Verlauf.`,
          it: `Stazioni di tipo ${name}, gli ultimi valori e lo storico.`,
        },
      }
    case 'edge':
      return {
        dataspace,
        title: sameInAll(`${name}: connections`),
        description: {
          en: `Connections between stations, of the type ${name}.`,
          de: `Verbindungen zwischen Stationen, vom Typ ${name}.`,
          it: `Collegamenti tra stazioni, di tipo ${name}.`,
        },
      }
    case 'event':
      return {
        dataspace,
        title: sameInAll(`${name}: events`),
        description: {
          en: `Events in the mobility network, from ${name}; also as a DATEX II feed.`,
          de: `Ereignisse im Verkehrsnetz, von ${name}; auch als DATEX-II-Dienst.`,
          it: `Eventi nella rete di mobilità, da ${name}; anche come feed DATEX II.`,
        },
      }
  }
}

type Registering = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly mobility: Mobility
  readonly now: () => Date
}

/**
 * Ensures that every dataset that the hub serves has a metadata record. Existing records stay
 * unchanged, and records that an editor has deleted are not added again.
 * @returns how many records were added
 */
export async function registerDatasets(registering: Registering): Promise<number> {
  const { database, entities, mobility, now } = registering
  const entity = entities.find(({ name }) => name === 'MetaData')
  if (entity === undefined) return 0
  const records = [
    ...entities.flatMap((one) => entityRecord(one) ?? []),
    ...(await mobility.load(database)).map(mobilityRecord),
  ]
  if ((await missing(database, entity, records)).length === 0) return 0
  return database.transaction(async (tx) => {
    // If several nodes start at once, one registers, and the others then find nothing to add.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('metadata of datasets'))`)
    const added = await missing(tx, entity, records)
    const FirstImport = now().toISOString()
    return storeRecords(tx, {
      entity,
      records: added.map((record) => ({ ...record, FirstImport })),
      deletions: [],
      received: now(),
      provider: registrar,
    })
  })
}

/**
 * Loads when each dataset of this hub was registered (ISO 8601), by path, such as
 * `v2/flat,node/VMS`.
 */
export async function loadRegistrations(
  database: Queryable,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, string>> {
  const entity = entities.find(({ name }) => name === 'MetaData')
  if (entity === undefined) return new Map()
  const rows = await database.texts(sql`
    select data #>> '{Mapping,hub,dataset}', coalesce(data ->> 'FirstImport', data ->> 'LastChange')
    from ${tableOf(entity)} where not closed`)
  return new Map(
    rows.flatMap(([path, written]) => {
      // An editor may have replaced the time by any text.
      const time = Date.parse(written ?? '')
      if (path === null || path === undefined || Number.isNaN(time)) return []
      return [[path, new Date(time).toISOString()] as const]
    }),
  )
}

async function missing(
  database: Queryable,
  entity: Entity,
  records: readonly ContentRecord[],
): Promise<readonly ContentRecord[]> {
  const ids = records.map(({ Id }) => String(Id))
  const rows = await database.texts(sql`
    select id from ${tableOf(entity)} where id = any(${ids}::text[])
    union all
    select id from content_tombstone where entity = ${entity.type} and id = any(${ids}::text[])`)
  const known = new Set(rows.map(([id]) => id))
  return records.filter(({ Id }) => !known.has(String(Id)))
}

/**
 * Returns the metadata record of a content entity, or undefined if the entity has no description.
 */
function entityRecord({ name, path, type, naming }: Entity): ContentRecord | undefined {
  const description = describeEntity(naming, name)
  if (description === undefined) return undefined
  const segments = ['v1', ...path.split('/')]
  return { ...toRecord(segments, description), ApiType: 'content', Type: type }
}

function mobilityRecord(dataset: MobilityDataset): ContentRecord {
  const record = toRecord(pathOf(dataset), describeMobility(dataset))
  if (dataset.kind !== 'event') return { ...record, ApiType: 'timeseries' }
  const slug = dataset.name.toLowerCase().replaceAll('_', '-')
  const feed = `/traffic/v1/situation-publication/${encodeURIComponent(slug)}`
  return {
    ...record,
    ApiType: 'timeseries',
    Output: { datex2: feed },
  }
}

function toRecord(
  path: readonly string[],
  { dataspace, title, description }: Description,
): ContentRecord {
  return {
    Id: idOf(path),
    Shortname: title.en,
    Active: true,
    Deprecated: false,
    Dataspace: dataspace,
    PathParam: path,
    ApiFilter: [],
    ApiDescription: description,
    // The hub recognizes its own record by this, even if an editor changes everything else.
    Mapping: { hub: { dataset: path.join('/') } },
  }
}

/**
 * Derives the identifier of a dataset from its path, as a UUID of version 8 (RFC 9562). It is
 * therefore the same on every hub.
 */
function idOf(path: readonly string[]): string {
  const digest = createHash('sha256')
    .update(`dataset ${path.join('/')}`)
    .digest('hex')
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
