import { join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, Row } from '../storage/index.ts'
import { forgetDeletions } from '../timeseries/index.ts'
import { isUuid, keyHours } from './accept/store-message.ts'
import { parked, waiting } from './queue/claim-messages.ts'
import { storedRejections } from './rejection.ts'

/** Filter for messages. A missing field does not restrict the selection. */
export type MessageFilter = {
  /** `provider/dataset`, or `provider/*` */
  readonly stream?: string | undefined
  readonly state?: string | undefined
  /** Received at this time or later. */
  readonly from?: Date | undefined
  /** Received before this time. */
  readonly to?: Date | undefined
  readonly ids?: readonly string[] | undefined
}

type ListedMessage = {
  readonly id: string
  readonly stream: string
  readonly state: string
  readonly received: Date
  readonly sender: string
  readonly attempts: number
  readonly stored: number
  readonly rejected: number
  readonly bytes: number
  readonly reason: string | null
}

/** Lists messages, newest first. */
export function listMessages(
  database: Queryable,
  filter: MessageFilter,
  limit: number,
): Promise<readonly ListedMessage[]> {
  return database.query<ListedMessage>(sql`
    select id, stream, state, received, sender, attempts, stored,
      ${storedRejections} as rejected, octet_length(body) as bytes, reason
    from message where ${conditionOf(filter)}
    order by received desc, id limit ${limit}`)
}

/** Loads everything about a message except its body. Undefined if the message does not exist. */
export async function loadMessage(database: Queryable, id: string): Promise<Row | undefined> {
  if (!isUuid(id)) return undefined
  const [message] = await database.query<Described>(sql`
    select id, stream, state, reason, received, started, finished, not_before as "notBefore", sender,
      attempts, stored, rejected, warnings, mapping, content_type as "contentType",
      headers, octet_length(body) as bytes, octet_length(packed) as "packedBytes",
      encode(sha256, 'hex') as sha256
    from message where id = ${id}`)
  if (message === undefined) return undefined
  return {
    ...message,
    headers: JSON.parse(message.headers),
    rejected: JSON.parse(message.rejected),
    warnings: JSON.parse(message.warnings),
    mapping: message.mapping === null ? null : JSON.parse(message.mapping),
  }
}

/** Row of a message, in which JSON columns are still text. */
type Described = Row & {
  readonly headers: string
  readonly rejected: string
  readonly warnings: string
  readonly mapping: string | null
}

/** Loads the decompressed body of a message. Empty if the message does not exist. */
export async function loadBodyOf(database: Queryable, id: string): Promise<Uint8Array> {
  const [row] = await database.query<{ readonly body: Uint8Array }>(
    sql`select body from message where id = ${id}`,
  )
  return row?.body ?? new Uint8Array()
}

/**
 * Queues messages for processing again, as if they had just arrived. What a newer message wrote is
 * kept (decision D53). Messages that are already waiting are skipped, except those that wait for a
 * pipeline.
 * @param most maximum number of messages, oldest first; no limit if missing
 * @returns the number of queued messages
 */
export function replayMessages(
  database: Queryable,
  filter: MessageFilter,
  most?: number,
): Promise<number> {
  return database.execute(sql`
    update message set state = 'accepted', reason = null, attempts = 0, not_before = '-infinity',
      started = null, finished = null, stored = 0, rejected = '[]', warnings = '[]', mapping = null
    where id in (
      select id from message where not (${waiting}) and ${conditionOf(filter)}
      order by received, id limit ${most ?? null}::bigint
      for update)`)
}

/** Counts the messages that `replayMessages` would queue. */
export async function countReplayable(database: Queryable, filter: MessageFilter): Promise<number> {
  const [row] = await database.query<{ readonly count: number }>(sql`
    select count(*)::integer as count from message
    where not (${waiting}) and ${conditionOf(filter)}`)
  return row?.count ?? 0
}

/** Permanently deletes dead messages, and returns their number. */
export function deleteMessages(database: Queryable, filter: MessageFilter): Promise<number> {
  return database.execute(sql`delete from message where state = 'dead' and ${conditionOf(filter)}`)
}

function conditionOf({ stream, state, from, to, ids }: MessageFilter): Sql {
  const conditions = [
    ...(stream === undefined ? [] : [streamCondition(stream)]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(from === undefined ? [] : [sql`received >= ${from}`]),
    ...(to === undefined ? [] : [sql`received < ${to}`]),
    ...(ids === undefined ? [] : [sql`id = any(${ids}::uuid[])`]),
  ]
  return conditions.length === 0 ? sql`true` : join(conditions, ' and ')
}

function streamCondition(stream: string): Sql {
  if (!stream.endsWith('/*')) return sql`stream = ${stream}`
  return sql`split_part(stream, '/', 1) = ${stream.slice(0, -2)}`
}

type Waiting = { readonly waiting: number; readonly limit: number }

type Parked = {
  /** Streams that now have a mapping. */
  readonly streams: readonly string[]
  readonly backlog: Waiting
}

/**
 * Maximum number of waiting messages up to which replays add more. Replays also use at most half of
 * the backlog's limit, so that new pushes have room.
 */
const maxWaiting = 1000

/** Returns how many more messages may be replayed now. */
export function roomToReplay({ waiting: count, limit }: Waiting): number {
  return Math.max(0, Math.min(maxWaiting, Math.max(1, Math.floor(limit / 2))) - count)
}

/**
 * Queues messages that arrived before their stream had a mapping, oldest first and a limited number
 * at a time; meant to be called repeatedly. Each message is replayed once, because it then no
 * longer waits for a mapping.
 * @returns the number of queued messages
 */
export async function replayParked(
  database: Queryable,
  { streams, backlog }: Parked,
): Promise<number> {
  const room = roomToReplay(backlog)
  if (streams.length === 0 || room === 0) return 0
  return database.execute(sql`
    update message set reason = null, attempts = 0, not_before = '-infinity'
    where id in (
      select id from message
      where ${parked} and stream = any(${streams}::text[])
      order by received, id limit ${room}
      for update skip locked)`)
}

type Limits = {
  readonly now: Date
  /**
   * Days to keep finished messages on streams without a setting of their own. 0 keeps them forever.
   */
  readonly keepDays: number
  /**
   * Days to keep unread messages on streams without a setting of their own. 0 keeps them forever.
   */
  readonly unreadDays: number
  /** Maximum total size of the unread messages in bytes. 0 means no limit. */
  readonly unreadBytes: number
}

/** Messages deleted by one statement, so that it blocks others only briefly. */
const atOnce = 500

/**
 * Deletes finished messages that are older than their stream keeps them, and messages that no
 * pipeline reads if they are too old or, oldest first, too large in total. Never deletes waiting or
 * dead messages, nor the data that messages brought. Also deletes expired idempotency keys.
 * @returns the numbers of deleted finished and unread messages
 */
export async function forgetOld(
  database: Queryable,
  { now, keepDays, unreadDays, unreadBytes }: Limits,
): Promise<{ readonly done: number; readonly unread: number }> {
  const isOlder = (days: number) => sql`
    coalesce(keep_days, ${days}::integer) > 0 and message.received
      < ${now}::timestamptz - coalesce(keep_days, ${days}::integer) * interval '1 day'`
  const isDone = sql`state in ('visible', 'rejected', 'empty')`
  const done = await forget(database, sql`${isDone} and ${isOlder(keepDays)}`)
  const old = await forget(database, sql`${parked} and ${isOlder(unreadDays)}`)
  const surplus = unreadBytes === 0 ? 0 : await forget(database, isSurplus(unreadBytes))
  await forgetDeletions(database)
  await database.execute(sql`
    delete from push_key
    where created < ${now}::timestamptz - ${keyHours}::integer * interval '1 hour'`)
  return { done, unread: old + surplus }
}

/** Condition for unread messages beyond a total size, counted from the newest one. */
function isSurplus(bytes: number): Sql {
  return sql`
    ${parked} and message.id in (
      select id from (
        select id, sum(octet_length(body)) over (order by received desc, id) as bytes
        from message where ${parked}
      ) as summed where bytes > ${bytes}::bigint)`
}

async function forget(database: Queryable, condition: Sql): Promise<number> {
  let forgotten = 0
  for (;;) {
    const deleted = await database.execute(sql`
      delete from message where id in (
        select message.id from message left join push_stream using (stream)
        where ${condition} limit ${atOnce}
        for update of message skip locked)`)
    forgotten += deleted
    if (deleted < atOnce) return forgotten
  }
}
