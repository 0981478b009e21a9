import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { keyHours } from '../accept/store-message.ts'
import { parked } from '../queue/claim-messages.ts'

type Limits = {
  readonly now: Date
  /** Days for streams that say nothing themselves; 0: for ever. */
  readonly keepDays: number
  /** The same for messages that nothing reads. */
  readonly unreadDays: number
  /** Bytes that messages which nothing reads may have together; 0: any. */
  readonly unreadBytes: number
}

/** Messages of one statement, so that others wait for a moment only. */
const atOnce = 500

/**
 * Deletes messages that are done and older than their stream is kept, and those that nothing ever read when they are
 * too old or too large together, the oldest first; never those that still wait or were given up. What they brought
 * stays.
 * @returns how many of both
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
  await database.execute(sql`
    delete from push_key
    where created < ${now}::timestamptz - ${keyHours}::integer * interval '1 hour'`)
  return { done, unread: old + surplus }
}

/** Of what nothing reads, all but the newest that have so many bytes together. */
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
