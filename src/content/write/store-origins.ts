import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'

/** Where a record stands in the message that brought it. */
export type Origin = {
  readonly message: string
  /** Counted from 1, when the message is NDJSON. */
  readonly line: number | undefined
  /** Position among the items of its object, counted from 0. */
  readonly item: number
}

/**
 * Points from records to where they came from. A record of no known origin loses the pointer it had: it
 * would show the source of an earlier state.
 */
export async function storeOrigins(
  tx: Transaction,
  entity: Entity,
  origins: ReadonlyMap<string, Origin | undefined>,
): Promise<void> {
  const known = [...origins].flatMap(([id, origin]) =>
    origin === undefined ? [] : [{ id, origin }],
  )
  const unknown = [...origins].flatMap(([id, origin]) => (origin === undefined ? [id] : []))
  if (unknown.length > 0) await forgetOrigins(tx, entity, unknown)
  if (known.length === 0) return
  await tx.execute(sql`
    insert into content_origin (entity, id, message, line, item)
    select ${entity.type}::text, sent.* from unnest(
      ${known.map(({ id }) => id)}::text[],
      ${known.map(({ origin }) => origin.message)}::uuid[],
      ${known.map(({ origin }) => origin.line ?? null)}::integer[],
      ${known.map(({ origin }) => origin.item)}::integer[]) as sent
    on conflict (entity, id) do update
      set message = excluded.message, line = excluded.line, item = excluded.item`)
}

/** For records that are gone. */
export async function forgetOrigins(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<void> {
  await tx.execute(
    sql`delete from content_origin where entity = ${entity.type} and id = any(${ids}::text[])`,
  )
}
