import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'

/** Where a record stands in the message that brought it. */
export type Origin = {
  readonly message: string
  /** Counted from 1, when the message is NDJSON. */
  readonly line: number | undefined
  /** Position among the items of its object, counted from 0. */
  readonly item: number
  /** The mapping that made the record of the message; undefined for a message in a canonical format. */
  readonly mapping?: { readonly name: string; readonly version: string } | undefined
}

/** Points from records to where they came from; those of no known origin are passed over. */
export async function storeOrigins(
  tx: Transaction,
  entity: Entity,
  origins: ReadonlyMap<string, Origin | undefined>,
): Promise<void> {
  const known = [...origins].flatMap(([id, origin]) =>
    origin === undefined ? [] : [{ id, origin }],
  )
  if (known.length === 0) return
  await tx.execute(sql`
    insert into content_origin (entity, id, message, line, item, mapping, mapping_version)
    select ${entity.type}::text, sent.* from unnest(
      ${known.map(({ id }) => id)}::text[],
      ${known.map(({ origin }) => origin.message)}::uuid[],
      ${known.map(({ origin }) => origin.line ?? null)}::integer[],
      ${known.map(({ origin }) => origin.item)}::integer[],
      ${known.map(({ origin }) => origin.mapping?.name ?? null)}::text[],
      ${known.map(({ origin }) => origin.mapping?.version ?? null)}::text[]) as sent
    on conflict (entity, id) do update
      set message = excluded.message, line = excluded.line, item = excluded.item,
        mapping = excluded.mapping, mapping_version = excluded.mapping_version`)
}

/**
 * The statement that takes their pointer from the records that `ids` selects: those that are gone, and
 * those whose state has no known origin. It would show the source of an earlier state.
 */
export function forgetOrigins(entity: Entity, ids: Sql): Sql {
  return sql`delete from content_origin where entity = ${entity.type} and id in (${ids})`
}
