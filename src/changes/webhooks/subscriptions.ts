import { randomUUID } from 'node:crypto'
import type { Verified } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable } from '../../storage/index.ts'
import { oldestRunning } from '../order.ts'
import type { Place } from '../order.ts'
import { dayOf } from '../read-page.ts'

/** A subscription as shown to its owner. */
export type Subscription = {
  readonly id: string
  readonly feed: string
  readonly url: string
  readonly owner: string
  readonly created: Date
  readonly state: 'active' | 'ended' | 'failed'
  readonly attempts: number
  readonly nextAttempt: Date | null
  readonly lastAttempt: Date | null
  readonly lastSuccess: Date | null
  readonly lastStatus: number | null
  readonly lastError: string | null
}

const shown = sql`id, feed, url, subject as owner, created, state, attempts,
  next_attempt as "nextAttempt", last_attempt as "lastAttempt", last_success as "lastSuccess",
  last_status as "lastStatus", last_error as "lastError"`

/** The token's identity and roles, which determine the rights of a subscription. */
export type Owner = Pick<Verified, 'subject' | 'client' | 'name'> & {
  readonly roles: readonly string[]
}

/** How far a feed was examined for a subscription, and with which rights. */
export type Examined = {
  readonly datasets: readonly string[]
  readonly place: Place
  /** Time of the last offset, in milliseconds. */
  readonly time: number
  /** Day of the examination, counted from 1970. */
  readonly day: number
  readonly rights: string
}

type NewSubscription = {
  readonly feed: string
  readonly url: string
  /** Encrypted, as it is stored. */
  readonly secret: string
  readonly owner: Owner
  readonly from: Examined
  readonly now: Date
}

/** Maximum number of subscriptions of one caller to all feeds together, including ended ones. */
const maxPerCaller = 20

/** @throws AppError HUB-CHG-004 if the caller has too many subscriptions */
export async function storeSubscription(
  database: Database,
  { feed, url, secret, owner, from, now }: NewSubscription,
): Promise<Subscription> {
  const { subject, client, name, roles } = owner
  const { place, datasets, time, rights } = from
  return database.transaction(async (tx) => {
    // Otherwise two requests at once would each find room for one more.
    await tx.execute(sql`
      select pg_advisory_xact_lock(hashtextextended(${`change_subscription ${subject}`}, 0))`)
    const [row] = await tx.query<Subscription>(sql`
      insert into change_subscription (feed, datasets, url, secret, subject, client, name, roles,
        created, xid, sequence, time, examined, rights)
      select ${feed}::text, ${datasets}::text[], ${url}::text, ${secret}::text, ${subject}::text,
        ${client}::text, ${name}::text, ${roles}::text[], ${now}::timestamptz,
        ${String(place.xid)}::xid8, ${String(place.sequence)}::bigint, ${String(time)}::bigint,
        ${now}::timestamptz, ${rights}::text
      where (select count(*) from change_subscription where subject = ${subject}) < ${maxPerCaller}
      returning ${shown}`)
    if (row === undefined) throw tooMany()
    return row
  })
}

function tooMany(): AppError {
  return new AppError(
    'HUB-CHG-004',
    `You have ${String(maxPerCaller)} subscriptions, which is the maximum.`,
    { hint: 'Delete one with DELETE /changes/{feed}/subscriptions/{id}.' },
  )
}

/** Selects subscriptions. Without `subject`, those of all callers. */
type Selection = {
  readonly feed: string
  readonly subject?: string | undefined
  readonly id?: string | undefined
}

function matches({ feed, subject, id }: Selection): Sql {
  return all([
    sql`feed = ${feed}`,
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(id === undefined ? [] : [sql`id::text = ${id.toLowerCase()}`]),
  ])
}

export function listSubscriptions(
  database: Queryable,
  selection: Selection,
): Promise<readonly Subscription[]> {
  return database.query<Subscription>(sql`
    select ${shown} from change_subscription where ${matches(selection)} order by created, id`)
}

/** @returns the number of deleted subscriptions */
export function removeSubscriptions(database: Queryable, selection: Selection): Promise<number> {
  return database.execute(sql`delete from change_subscription where ${matches(selection)}`)
}

/** Counts the subscriptions in each state. */
export async function countSubscriptions(
  database: Queryable,
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.texts(
    sql`select state, count(*) from change_subscription group by state`,
  )
  return new Map(rows.map(([state, count]) => [state ?? '', Number(count)]))
}

/** A notification in flight. It keeps its identifier until it is accepted. */
export type Notification = { readonly delivery: string; readonly body: string }

/** A subscription that this node is processing. */
export type Claimed = {
  readonly id: string
  readonly feed: string
  readonly url: string
  /** Encrypted, as it is stored. */
  readonly secret: string
  readonly owner: Owner
  readonly examined: Examined
  readonly notification: Notification | undefined
  readonly attempts: number
  readonly lease: string
}

type Row = Owner & {
  readonly id: string
  readonly feed: string
  readonly url: string
  readonly secret: string
  readonly datasets: readonly string[]
  readonly xid: string
  readonly sequence: string
  readonly time: string
  readonly rights: string
  readonly examined: Date
  readonly delivery: string | null
  readonly body: string | null
  readonly attempts: number
  readonly lease: string
}

/** Milliseconds after which another node may take over a subscription. */
const leaseLength = 120_000

/** Interval in ms to examine a subscription even without changes: its rights may have changed. */
const examinedEvery = 60_000

/**
 * Claims subscriptions that have work to do: a notification is due, or the feed has changes that
 * were not examined. No other node gets them until they are released or the lease expires.
 */
export async function claimSubscriptions(
  database: Queryable,
  now: Date,
  limit: number,
): Promise<readonly Claimed[]> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const rows = await database.query<Row>(sql`
    update change_subscription set lease = gen_random_uuid(), leased = ${now}
    where id in (
      select id from change_subscription as one
      where state = 'active' and (lease is null or leased < ${before(leaseLength)})
        and case when body is not null then next_attempt <= ${now}
          else examined <= ${before(examinedEvery)} or exists (
            select from change
            where dataset = any(one.datasets) and (change.xid, change.sequence) > (one.xid, one.sequence)
              and change.xid < ${oldestRunning}) end
      order by leased nulls first limit ${limit}
      for update skip locked)
    returning id, feed, url, secret, subject, client, name, roles, datasets, xid::text as xid,
      sequence::text as sequence, time::text as time, rights, examined, delivery, body, attempts, lease`)
  return rows.map(toClaimed)
}

function toClaimed(row: Row): Claimed {
  const { id, feed, url, secret, attempts, lease, delivery, body } = row
  const { subject, client, name, roles, datasets, xid, sequence, time, rights, examined } = row
  return {
    ...{ id, feed, url, secret, attempts, lease },
    owner: { subject, client, name, roles },
    examined: {
      ...{ datasets, rights, time: Number(time), day: dayOf(examined) },
      place: { xid: BigInt(xid), sequence: BigInt(sequence) },
    },
    notification: delivery === null || body === null ? undefined : { delivery, body },
  }
}

type Held = Pick<Claimed, 'id' | 'lease'>

/** Updates a subscription if this node still holds it, and reports whether it does. */
async function update(database: Queryable, held: Held, changes: readonly Sql[]): Promise<boolean> {
  const changed = await database.execute(sql`
    update change_subscription set ${join(changes, ', ')}
    where id = ${held.id} and lease = ${held.lease}`)
  return changed > 0
}

const released = sql`lease = null`

/** Releases a subscription unchanged. */
export async function releaseSubscription(database: Queryable, held: Held): Promise<void> {
  await update(database, held, [released])
}

/** Stores how far a feed was examined without new changes, and releases the subscription. */
export async function storeExamined(
  database: Queryable,
  held: Held,
  { examined, now }: { readonly examined: Examined; readonly now: Date },
): Promise<void> {
  await update(database, held, [...toColumns(examined, now), released])
}

/** Stores the notification to deliver. @returns undefined if another node has taken over */
export async function storeNotification(
  database: Queryable,
  held: Held,
  found: { readonly examined: Examined; readonly now: Date; readonly body: string },
): Promise<Notification | undefined> {
  const { examined, now, body } = found
  const delivery = randomUUID()
  const isStored = await update(database, held, [
    ...toColumns(examined, now),
    sql`delivery = ${delivery}, body = ${body}, attempts = 0, next_attempt = ${now}`,
  ])
  return isStored ? { delivery, body } : undefined
}

function toColumns({ datasets, place, time, rights }: Examined, now: Date): readonly Sql[] {
  return [
    sql`datasets = ${datasets}::text[]`,
    sql`xid = ${String(place.xid)}::xid8, sequence = ${String(place.sequence)}::bigint`,
    sql`time = ${String(time)}::bigint, rights = ${rights}, examined = ${now}`,
  ]
}

/** Result of one attempt to deliver a notification. */
export type Outcome =
  | { readonly kind: 'accepted' | 'gone'; readonly status: number }
  | { readonly kind: 'failed'; readonly status: number | null; readonly error: string }

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** Waits between attempts to deliver, three days in total, as Standard Webhooks recommends. */
const waits: readonly number[] = [
  ...[5 * seconds, 5 * minutes, 30 * minutes],
  ...[2, 5, 10, 14, 20, 20].map((count) => count * hours),
]

/** Stores the result of an attempt, and releases the subscription. */
export async function storeOutcome(
  database: Queryable,
  claimed: Claimed,
  { outcome, now }: { readonly outcome: Outcome; readonly now: Date },
): Promise<void> {
  const { kind, status } = outcome
  const delivered = sql`delivery = null, body = null, next_attempt = null`
  const last = sql`last_attempt = ${now}, last_status = ${status}::integer`
  switch (kind) {
    case 'accepted': {
      const success = sql`attempts = 0, last_success = ${now}, last_error = null`
      await update(database, claimed, [delivered, success, last, released])
      return
    }
    case 'gone': {
      const ended = sql`state = 'ended', last_error = 'The receiver ended the subscription.'`
      await update(database, claimed, [delivered, ended, last, released])
      return
    }
    case 'failed': {
      const failure = sql`attempts = attempts + 1, last_error = ${outcome.error}`
      const wait = waits[claimed.attempts]
      const next =
        wait === undefined
          ? sql`state = 'failed', next_attempt = null`
          : sql`next_attempt = ${new Date(now.getTime() + wait)}`
      await update(database, claimed, [failure, next, last, released])
    }
  }
}
