import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { stateOf } from '../outcome.ts'
import type { Stored } from '../pipeline.ts'
import { toStorable } from '../rejection.ts'
import { mostAttempts, noPipeline, pauseAfter } from './claim-messages.ts'

/** A message that a transaction has locked. */
export type HeldMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly mayBackdate: boolean
  readonly attempts: number
  readonly bytes: number
  /** Null when it is large, and to be loaded in pieces. */
  readonly body: Uint8Array | null
}

/** What became of a message once it was worked on. */
export type Outcome = Stored & { readonly finished: Date }

/** Of a body that is read at once: a long answer would hold up whoever passes it on. */
const piece = 2_097_152

/**
 * Locks claimed messages for the transaction, oldest first, but for those that another worker has done
 * since. It waits for who has one in hand: also a claim of another worker locks for a moment what it
 * looked at, and a message that is passed over for that would rest until its next attempt.
 */
export function holdMessages(
  tx: Transaction,
  ids: readonly string[],
): Promise<readonly HeldMessage[]> {
  return tx.query<HeldMessage>(sql`
    select id, stream, received, may_backdate as "mayBackdate", attempts,
      octet_length(body) as bytes, case when octet_length(body) <= ${piece} then body end as body
    from message where id = any(${ids}::uuid[]) and state = 'processing'
    order by received, id
    for update`)
}

export async function loadBody(tx: Transaction, held: HeldMessage): Promise<Uint8Array> {
  if (held.body !== null) return held.body
  const whole = Buffer.allocUnsafeSlow(held.bytes)
  for (let start = 0; start < held.bytes; start += piece) {
    const [row] = await tx.query<{ readonly part: Uint8Array }>(sql`
      select substring(body from ${start + 1}::integer for ${piece}::integer) as part
      from message where id = ${held.id}`)
    whole.set(row?.part ?? [], start)
  }
  return whole
}

export async function finishMessage(tx: Transaction, id: string, outcome: Outcome): Promise<void> {
  await tx.execute(sql`
    update message set state = ${stateOf(outcome)}, reason = null, finished = ${outcome.finished},
      stored = ${outcome.stored}, rejected = ${JSON.stringify(outcome.rejected.map(toStorable))}
    where id = ${id}`)
}

/** Keeps a message that nothing can process yet; replay takes it once a mapping exists (D51a). */
export async function parkMessage(tx: Transaction, id: string): Promise<void> {
  await tx.execute(sql`
    update message set state = 'accepted', reason = ${noPipeline}, started = null where id = ${id}`)
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
    where id = ${id}`)
}
