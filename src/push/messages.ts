import { sql } from '../sql/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'
import { toStorable } from './rejection.ts'
import type { Rejection } from './rejection.ts'

/** A message as it is accepted: what was sent, by whom, when. */
export type NewMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly sender: string
  readonly mayBackdate: boolean
  readonly contentType: string | undefined
  readonly body: Uint8Array
  readonly sha256: Uint8Array
}

/** A message that a worker holds. */
export type HeldMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly mayBackdate: boolean
  readonly body: Uint8Array
}

/** What became of a message once it was worked on. */
export type Outcome = {
  readonly state: 'visible' | 'rejected'
  readonly finished: Date
  readonly stored: number
  readonly rejected: readonly Rejection[]
}

export async function storeMessage(database: Queryable, message: NewMessage): Promise<void> {
  await database.execute(sql`
    insert into message (id, stream, received, sender, may_backdate, content_type, body, sha256)
    values (${message.id}, ${message.stream}, ${message.received}, ${message.sender},
      ${message.mayBackdate}, ${message.contentType ?? null}, ${message.body}, ${message.sha256})`)
}

/** So often a message is tried; then it is dead until it is replayed. */
export const mostAttempts = 5

const exhausted = 'the hub ended during every attempt to store it'

/**
 * Picks the oldest message that waits and counts the attempt. One being worked on is locked. One whose
 * worker died is in state `processing` but not locked, so it is picked again, after a pause that
 * doubles: a message that kills its worker must not do so again and again.
 */
export async function claimMessage(database: Queryable, now: Date): Promise<Claim | undefined> {
  const [claim] = await database.query<Claim>(sql`
    update message set
      state = case when attempts < ${mostAttempts} then 'processing' else 'dead' end,
      reason = case when attempts >= ${mostAttempts} then ${exhausted} end,
      attempts = attempts + 1, started = ${now},
      not_before = ${now}::timestamptz + interval '1 second' * power(2, attempts + 1)
    where id = (
      select id from message
      where state in ('accepted', 'processing') and reason is distinct from 'no pipeline'
        and not_before <= ${now}
      order by received, id limit 1
      for update skip locked)
    returning id, attempts, state = 'dead' as "isDead"`)
  return claim
}

export type Claim = { readonly id: string; readonly attempts: number; readonly isDead: boolean }

/** Locks a claimed message for the transaction; undefined when another worker has it or is done. */
export async function holdMessage(tx: Transaction, id: string): Promise<HeldMessage | undefined> {
  const [held] = await tx.query<HeldMessage>(sql`
    select id, stream, received, may_backdate as "mayBackdate", body
    from message where id = ${id} and state = 'processing'
    for update skip locked`)
  return held
}

export async function finishMessage(tx: Transaction, id: string, outcome: Outcome): Promise<void> {
  await tx.execute(sql`
    update message set state = ${outcome.state}, finished = ${outcome.finished},
      stored = ${outcome.stored}, rejected = ${JSON.stringify(outcome.rejected.map(toStorable))}
    where id = ${id}`)
}

/** Keeps a message that nothing can process yet; replay takes it once a mapping exists (D51a). */
export async function parkMessage(tx: Transaction, id: string): Promise<void> {
  await tx.execute(
    sql`update message set state = 'accepted', reason = 'no pipeline', started = null where id = ${id}`,
  )
}

/** Puts a message back after a failure, to be tried again later, or for good. */
export async function postponeMessage(
  database: Queryable,
  id: string,
  next: { readonly state: 'accepted' | 'dead'; readonly reason: string; readonly notBefore: Date },
): Promise<void> {
  await database.execute(sql`
    update message set state = ${next.state}, reason = ${next.reason}, not_before = ${next.notBefore}
    where id = ${id} and state = 'processing'`)
}
