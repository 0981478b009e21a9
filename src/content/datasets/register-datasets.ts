import { createHash } from 'node:crypto'
import { sql } from '../../sql/index.ts'
import type { Database, Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import { registrar, storeRecords } from '../write/store-records.ts'
import type { ContentRecord } from '../write/to-stored.ts'
import { describeEntity, describeMobility, pathOf } from './descriptions.ts'
import type { Description, Mobility, MobilityDataset } from './descriptions.ts'

type Registering = {
  readonly database: Database
  /** Every entity that the hub serves, views too. */
  readonly entities: readonly Entity[]
  readonly mobility: Mobility
  readonly now: () => Date
}

/**
 * Ensures that every dataset that the hub serves has a metadata record. Existing records stay
 * as they are, and those that an editor has deleted stay away.
 * @returns how many were added
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
    // Of several nodes one registers; the others find it done.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('metadata of datasets'))`)
    const added = await missing(tx, entity, records)
    return storeRecords(tx, {
      entity,
      records: added,
      deletions: [],
      received: now(),
      provider: registrar,
    })
  })
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

/** The record of a content entity; undefined for one that nobody has described. */
function entityRecord({ name, path, type, naming }: Entity): ContentRecord | undefined {
  const description = describeEntity(naming, name)
  if (description === undefined) return undefined
  const segments = ['v1', ...path.split('/')]
  return { ...toRecord(segments, description), ApiType: 'content', Type: type }
}

/** The record of a station type, an edge type or an event origin. */
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
    // By this the hub recognizes its own record, even if an editor changes the rest.
    Mapping: { hub: { dataset: path.join('/') } },
  }
}

/** The same on every hub: a UUID of version 8 (RFC 9562) made of the path. */
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
