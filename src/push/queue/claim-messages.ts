import { parsePushScope } from '../../access/index.ts'
import type { PushScope } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { joinRunning } from '../../async/index.ts'
import { pieceBytes } from '../accept/store-message.ts'
import { endingOf } from '../pipeline.ts'
import type { Stored } from '../pipeline.ts'
import { toStorable } from '../rejection.ts'

/** Maximum number of attempts. After the last one a message is dead until it is replayed. */
export const maxAttempts = 8

/** Maximum pause between two attempts, in seconds. The first pauses are 2, 4, 8 … seconds. */
const maxPause = 300

/** Limits of one transaction: one commit for many small messages. */
const maxAtOnce = 50
const maxBytesAtOnce = 1_048_576

const exhausted = 'the hub ended during every attempt to store it'

/** Condition for waiting messages that can be processed, as far as the hub can tell. */
export const waiting: Sql = sql`
  state in ('accepted', 'processing') and reason is distinct from 'no pipeline'`

/** Condition for messages that no pipeline reads until their stream has a mapping. */
export const parked: Sql = sql`state = 'accepted' and reason = 'no pipeline'`

/** Which messages one of several concurrent loops claims. */
export type Share = {
  /** Whether it also claims messages of more than 1 MiB. */
  readonly takesLarge: boolean
}

function isIn({ takesLarge }: Share): Sql {
  return takesLarge ? sql`true` : sql`octet_length(body) <= ${maxBytesAtOnce}`
}

/** A message that a worker has claimed. */
export type Claim = { readonly id: string; readonly stream: string; readonly attempts: number }

/**
 * Claims messages that wait for their first attempt, oldest first, and counts the attempt. On an
 * ordered stream only the first waiting message is claimed. If a worker dies before a message is
 * done, the message waits for another attempt.
 */
export function claimFresh(
  database: Queryable,
  now: Date,
  share: Share,
): Promise<readonly Claim[]> {
  return database.query<Claim>(sql`
    with free as (
      select id, received, octet_length(body) as bytes from message
      where ${waiting} and attempts = 0 and ${isIn(share)}
        and not stream = any(array(select stream from push_stream where is_ordered))
      order by received, id limit ${maxAtOnce}
      for update skip locked
    ), head as (
      select id from message
      where ${waiting} and attempts = 0 and ${isIn(share)} and id in (
        select next.id from push_stream, lateral (
          select message.id from message
          where message.stream = push_stream.stream and ${waiting}
          order by message.received, message.id limit 1
        ) as next
        where is_ordered)
      for update skip locked
    ), taken as (
      select id from (
        select id, sum(bytes) over (order by received, id) - bytes as before from free
      ) as summed
      where before < ${maxBytesAtOnce}
      union all select id from head
    )
    update message set state = 'processing', attempts = 1, started = ${now},
      not_before = ${now}::timestamptz + ${pauseAfter(sql`1`)}
    where id in (select id from taken)
    returning id, stream, attempts`)
}

/**
 * Claims the message whose next attempt has been due for the longest time. It is claimed alone,
 * because what ended the last attempt may end this one. The pauses between attempts double, so that
 * a message that kills its worker does not do so again and again.
 * @returns undefined if no message is due
 */
export async function claimRetry(
  database: Queryable,
  now: Date,
  share: Share,
): Promise<(Claim & { readonly isDead: boolean }) | undefined> {
  const [claim] = await database.query<Claim & { readonly isDead: boolean }>(sql`
    update message set
      state = case when attempts < ${maxAttempts} then 'processing' else 'dead' end,
      reason = case when attempts >= ${maxAttempts} then ${exhausted} end,
      attempts = least(attempts + 1, ${maxAttempts}), started = ${now},
      not_before = ${now}::timestamptz + ${pauseAfter(sql`attempts + 1`)}
    where id = (
      select id from message
      where ${waiting} and attempts > 0 and not_before <= ${now} and ${isIn(share)}
      order by not_before limit 1
      for update skip locked)
    returning id, stream, attempts, state = 'dead' as "isDead"`)
  return claim
}

/** Returns SQL for the pause after a number of attempts. */
function pauseAfter(attempts: Sql): Sql {
  return sql`least(power(2, ${attempts}), ${maxPause}) * interval '1 second'`
}

/** A message that a transaction has locked. */
export type HeldMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly mayBackdate: boolean
  readonly scope: PushScope
  readonly attempts: number
  /** Whether messages of its stream are processed strictly one after another. */
  readonly isOrdered: boolean
  readonly bytes: number
  /** Null if the body is large and must be loaded in pieces (`loadBody`). */
  readonly body: Uint8Array | null
}

/**
 * Locks claimed messages for the transaction, oldest first, except those that another worker has
 * finished since. It waits for other transactions instead of skipping locked rows, because the
 * claim of another worker also locks briefly what it looked at, and a skipped message would wait
 * until its next attempt.
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
 * Records the outcomes of messages, in one statement. A message that waits for something missing is
 * retried after half of the time since it was received, at least 5 seconds. A message that nothing
 * can process yet is kept, and replayed once a mapping exists (D51a).
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

/**
 * Puts a message back after a failure, to be retried later, or marks it dead after the last
 * attempt.
 */
export async function postponeMessage(
  tx: Transaction,
  { id, attempts }: HeldMessage,
  now: Date,
): Promise<'accepted' | 'dead'> {
  const state = attempts >= maxAttempts ? 'dead' : 'accepted'
  const reason =
    `attempt ${String(attempts)} of ${String(maxAttempts)} failed in the hub; ` +
    'its operator finds the cause in the log, by the id of this message'
  await tx.execute(sql`
    update message set state = ${state}, reason = ${reason},
      not_before = ${now}::timestamptz + ${pauseAfter(sql`attempts`)}
    where id = ${id}`)
  return state
}

/**
 * Puts a message back that failed through no fault of its own. The attempt does not count, but the
 * message stays among those to be retried, which wait for a moment.
 */
export async function returnMessage(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update message set state = 'accepted', reason = null, attempts = greatest(attempts - 1, 1),
      not_before = ${now}::timestamptz + ${pauseAfter(sql`1`)}
    where id = ${id} and state = 'processing'`)
}

/**
 * Milliseconds for which a lease keeps claimed messages from other workers, and between renewals.
 */
const length = 20_000
const interval = 5_000

type Lease = {
  /** Ends the lease of messages that a transaction is about to lock. */
  readonly release: (ids: readonly string[]) => Promise<void>
  readonly end: () => void
}

type Deps = { readonly database: Database; readonly now: () => Date }

/**
 * Keeps other workers from claiming messages that wait for their mapping, however long that takes:
 * before the transaction that stores them, only `not_before` protects them. The lease is renewed
 * until it ends, so the messages of a hub that is gone are soon claimed by another one.
 */
export async function holdLease(
  { database, now }: Deps,
  claimed: readonly string[],
): Promise<Lease> {
  if (claimed.length === 0) return none
  const ids = new Set(claimed)
  const renew = joinRunning(async () => {
    const until = new Date(now().getTime() + length)
    await database.execute(sql`
      update message set not_before = ${until}
      where id = any(${[...ids]}::uuid[]) and state = 'processing'`)
  })
  await renew()
  let renewing: Promise<void> | undefined
  const timer = setInterval(() => {
    // If a renewal fails, the next one makes up for it.
    renewing = renew().catch(() => undefined)
  }, interval)
  return {
    release: async (done) => {
      for (const id of done) ids.delete(id)
      await renewing
    },
    end: () => {
      clearInterval(timer)
    },
  }
}

const none: Lease = { release: () => Promise.resolve(), end: () => undefined }
