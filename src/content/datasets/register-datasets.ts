import { sql } from '../../sql/index.ts'
import type { Database, Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import { registrar } from '../write/register-sources.ts'
import { storeRecords } from '../write/store-records.ts'
import type { ContentRecord } from '../write/to-stored.ts'
import type { Mobility } from './mobility.ts'
import { entityRecord, mobilityRecord } from './to-meta-data.ts'

type Registering = {
  readonly database: Database
  /** Every entity that the hub serves, views too. */
  readonly entities: readonly Entity[]
  readonly mobility: Mobility
  readonly now: () => Date
}

/**
 * Sees to it that every dataset that the hub serves has a metadata record. Records that are there stay
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
