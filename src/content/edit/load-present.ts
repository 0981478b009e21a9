import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { parseRecord } from '../formats/record-members.ts'
import { isVisible } from '../list/plan.ts'
import { tableOf } from '../table.ts'
import type { SentRecord } from './edits.ts'

/** A record as it is before a write, and from then on locked until the write is done. */
export type Present = {
  readonly data: SentRecord
  /** Changes with every save. */
  readonly revision: string
  /** When the message was received that wrote it. */
  readonly received: Date
  /** Whether the writer may see it. */
  readonly isVisible: boolean
}

/** Has writers who create the same record wait for each other: what is not there has no lock. */
export async function lockIdentifiers(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<void> {
  const keys = ids.map((id) => `${entity.type} ${id}`).sort()
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`)
}

/** When these records were last deleted; empty where none of them was. */
export async function loadDeletions(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<readonly Date[]> {
  type Deletion = { readonly received: Date }
  const rows = await tx.query<Deletion>(sql`
    select received from content_tombstone where entity = ${entity.type} and id = any(${ids}::text[])`)
  return rows.map(({ received }) => received)
}

/** Locks the records in the order of their identifiers, so that writers never lock each other out. */
export async function loadPresent(
  tx: Transaction,
  entity: Entity,
  { ids, visibility }: { readonly ids: readonly string[]; readonly visibility: Visibility },
): Promise<ReadonlyMap<string, Present>> {
  type Found = {
    readonly id: string
    readonly data: string
    readonly revision: string
    readonly received: Date
    readonly is_visible: boolean
  }
  if (ids.length === 0) return new Map()
  const rows = await tx.query<Found>(sql`
    select id, data, xmin::text as revision, received, ${isVisible(entity, visibility)} as is_visible
    from ${tableOf(entity)} where id = any(${ids}::text[]) order by id for update`)
  return new Map(
    rows.map(({ id, data, revision, received, is_visible }) => [
      id,
      { data: parseRecord(data), revision, received: new Date(received), isVisible: is_visible },
    ]),
  )
}
