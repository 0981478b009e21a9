import { parsePushScope } from '../../access/index.ts'
import type { PushScope } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { pieceBytes } from '../body-pieces.ts'
import { endingOf } from '../outcome.ts'
import type { Stored } from '../pipeline.ts'
import { toStorable } from '../rejection.ts'
import { mostAttempts, pauseAfter } from './claim-messages.ts'

/** A message that a transaction has locked. */
export type HeldMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly mayBackdate: boolean
  readonly scope: PushScope
  readonly attempts: number
  /** Whether its stream is worked on strictly one after the other. */
  readonly isOrdered: boolean
  readonly bytes: number
  /** Null when it is large, and to be loaded in pieces (`loadBody`). */
  readonly body: Uint8Array | null
}

/**
 * Locks claimed messages for the transaction, oldest first, but for those that another worker has done
 * since. It waits for who has one in hand: also a claim of another worker locks for a moment what it
 * looked at, and a message that is passed over for that would rest until its next attempt.
 */
export async function holdMessages(
  tx: Transaction,
  ids: readonly string[],
): Promise<readonly HeldMessage[]> {
  const rows = await tx.query<Omit<HeldMessage, 'scope'> & { readonly scope: string | null }>(sql`
    select id, stream, received, push_scope(sender, stream) as scope, may_backdate as "mayBackdate", attempts,
      exists (select from push_stream where push_stream.stream = message.stream and is_ordered) as "isOrdered",
      octet_length(body) as bytes, case when octet_length(body) <= ${pieceBytes} then body end as body
    from message where id = any(${ids}::uuid[]) and state = 'processing'
    order by received, id
    for update`)
  return rows.map(({ scope, ...message }) => ({ ...message, scope: parsePushScope(scope) }))
}

/**
 * Notes what became of messages, in one statement. One that waits for what it refers to is tried again, at first
 * soon, then when half as much time has passed as since it came. What nothing can process yet is kept: replay takes it
 * once a mapping exists (D51a).
 */
export async function settleMessages(
  tx: Transaction,
  outcomes: ReadonlyMap<string, Stored>,
  finished: Date,
): Promise<void> {
  const rows = [...outcomes].map(([id, outcome]) => ({ id, ...toRow(outcome) }))
  const texts = (column: 'id' | 'state' | 'reason' | 'rejected' | 'warnings' | 'mapping') =>
    rows.map((row) => row[column])
  await tx.execute(sql`
    update message set state = settled.state, reason = settled.reason,
      started = case when settled.is_done then started end,
      finished = case when settled.is_done then ${finished}::timestamptz end,
      stored = settled.stored, mapping = settled.mapping, rejected = settled.rejected,
      warnings = settled.warnings,
      attempts = case when settled.waits then 1 else attempts end,
      not_before = case when settled.waits
        then ${finished}::timestamptz + greatest(interval '5 seconds', (${finished} - received) / 2)
        else not_before end
    from unnest(${texts('id')}::uuid[], ${texts('state')}::text[], ${texts('reason')}::text[],
      ${rows.map(({ stored }) => stored)}::integer[], ${rows.map(({ isDone }) => isDone)}::boolean[],
      ${rows.map(({ waits }) => waits)}::boolean[],
      ${texts('rejected')}::jsonb[], ${texts('warnings')}::jsonb[], ${texts('mapping')}::jsonb[])
      as settled (id, state, reason, stored, is_done, waits, rejected, warnings, mapping)
    where message.id = settled.id`)
}

function toRow(outcome: Stored) {
  const { mapping, rejected, stored, unread, waits, warnings = [] } = outcome
  return {
    ...endingOf(outcome),
    stored,
    isDone: unread === undefined && waits === undefined,
    waits: waits !== undefined,
    rejected: JSON.stringify(rejected.map(toStorable)),
    warnings: JSON.stringify(warnings.map(toStorable)),
    mapping: mapping === undefined ? null : JSON.stringify(mapping),
  }
}

/** Puts a message back after a failure, to be tried again later, or for good after the last attempt. */
export async function postponeMessage(
  tx: Transaction,
  { id, attempts }: HeldMessage,
  now: Date,
): Promise<'accepted' | 'dead'> {
  const state = attempts >= mostAttempts ? 'dead' : 'accepted'
  const reason =
    `attempt ${String(attempts)} of ${String(mostAttempts)} failed in the hub; ` +
    'its operator finds the cause in the log, by the id of this message'
  await tx.execute(sql`
    update message set state = ${state}, reason = ${reason},
      not_before = ${now}::timestamptz + ${pauseAfter(sql`attempts`)}
    where id = ${id}`)
  return state
}

/**
 * Puts a message back that failed by no fault of its own; the attempt does not count. It stays among
 * those that were tried before, which rest for a moment.
 */
export async function returnMessage(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update message set state = 'accepted', reason = null, attempts = greatest(attempts - 1, 1),
      not_before = ${now}::timestamptz + ${pauseAfter(sql`1`)}
    where id = ${id} and state = 'processing'`)
}
