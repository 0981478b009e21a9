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

/** So often a message is tried; then it is dead until it is replayed. */
export const mostAttempts = 8

/** Seconds of the longest pause between two attempts; the first ones take 2, 4, 8 … seconds. */
const longestPause = 300

/** Messages that are processed in one transaction: one commit for many small ones. */
const mostAtOnce = 50
const mostBytesAtOnce = 1_048_576

const exhausted = 'the hub ended during every attempt to store it'

/** Messages that wait, and can be processed as far as the hub knows. */
export const waiting: Sql = sql`
  state in ('accepted', 'processing') and reason is distinct from 'no pipeline'`

/** Messages that nothing reads until their stream has a mapping. */
export const parked: Sql = sql`state = 'accepted' and reason = 'no pipeline'`

/** Which messages one of several that work side by side takes. */
export type Share = {
  /** Whether those of more than 1 MiB, too. */
  readonly takesLarge: boolean
}

function isIn({ takesLarge }: Share): Sql {
  return takesLarge ? sql`true` : sql`octet_length(body) <= ${mostBytesAtOnce}`
}

/** A message that a worker has taken. */
export type Claim = { readonly id: string; readonly stream: string; readonly attempts: number }

/**
 * Takes some of the messages that wait for their first attempt, oldest first, and counts the attempt. Of
 * a stream that requests its order only the first that waits is taken. One whose worker died before it
 * was done waits for another attempt.
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
      order by received, id limit ${mostAtOnce}
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
      where before < ${mostBytesAtOnce}
      union all select id from head
    )
    update message set state = 'processing', attempts = 1, started = ${now},
      not_before = ${now}::timestamptz + ${pauseAfter(sql`1`)}
    where id in (select id from taken)
    returning id, stream, attempts`)
}

/**
 * Takes the message whose next attempt is due for the longest time: alone, because what ended the last
 * attempt may end this one. Before it is tried again there is a pause that doubles: a message that kills
 * its worker must not do so again and again.
 * @returns undefined when none is due
 */
export async function claimRetry(
  database: Queryable,
  now: Date,
  share: Share,
): Promise<(Claim & { readonly isDead: boolean }) | undefined> {
  const [claim] = await database.query<Claim & { readonly isDead: boolean }>(sql`
    update message set
      state = case when attempts < ${mostAttempts} then 'processing' else 'dead' end,
      reason = case when attempts >= ${mostAttempts} then ${exhausted} end,
      attempts = least(attempts + 1, ${mostAttempts}), started = ${now},
      not_before = ${now}::timestamptz + ${pauseAfter(sql`attempts + 1`)}
    where id = (
      select id from message
      where ${waiting} and attempts > 0 and not_before <= ${now} and ${isIn(share)}
      order by not_before limit 1
      for update skip locked)
    returning id, stream, attempts, state = 'dead' as "isDead"`)
  return claim
}

/** How long a message rests after a number of attempts. */
function pauseAfter(attempts: Sql): Sql {
  return sql`least(power(2, ${attempts}), ${longestPause}) * interval '1 second'`
}

/** A message that a transaction has locked. */
export type HeldMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly mayBackdate: boolean
  readonly scope: PushScope
  readonly attempts: number
  /** Whether its stream is processed strictly one after the other. */
  readonly isOrdered: boolean
  readonly bytes: number
  /** Null when it is large, and to be loaded in pieces (`loadBody`). */
  readonly body: Uint8Array | null
}

/**
 * Locks claimed messages for the transaction, oldest first, but for those that another worker has done
 * since. It waits for who has one in progress: also a claim of another worker locks for a moment what it
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

/** How long claimed messages are kept from others at a time, in milliseconds, and when that is renewed. */
const length = 20_000
const interval = 5_000

type Lease = {
  /** Leaves messages to the transaction that locks them now. */
  readonly release: (ids: readonly string[]) => Promise<void>
  readonly end: () => void
}

type Deps = { readonly database: Database; readonly now: () => Date }

/**
 * Keeps others from taking claimed messages that wait for their mapping, however long that takes: before
 * the transaction that stores them nothing but their time does. It is renewed until it ends, so the messages
 * of a hub that is gone are soon taken by another one.
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
    // One that fails is made good by the next one.
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
