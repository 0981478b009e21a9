import type { Verified } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import type { Edit } from './edits.ts'

/** Who writes, by which request. */
export type Editor = {
  readonly principal: Verified
  /** Of the application that the principal uses, as it names itself (interface 8). */
  readonly referer: string | undefined
  readonly requestId: string
}

type Entry = {
  readonly entity: Entity
  readonly edits: readonly Edit[]
  readonly editor: Editor
  readonly at: Date
}

/** Notes in the transaction of the writes who made them; the log can only grow. */
export async function recordAudit(
  tx: Transaction,
  { entity, edits, editor: { principal, requestId }, at }: Entry,
): Promise<void> {
  await tx.execute(sql`
    insert into audit (time, subject, name, client, dataset, request, operation, id)
    select ${at.toISOString()}::timestamptz, ${principal.subject}, ${principal.name},
      ${principal.client}, ${entity.name}, ${requestId}::uuid, operation, id
    from unnest(
      ${edits.map(({ operation }) => operation)}::text[],
      ${edits.map(({ id }) => id)}::text[]) as edits (operation, id)`)
}
