import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { keyHours } from '../accept/store-message.ts'
import { noPipeline } from '../queue/claim-messages.ts'

type Time = {
  readonly now: Date
  /** Days for streams that say nothing themselves; 0: for ever. */
  readonly keepDays: number
}

/** Messages of one statement, so that others wait for a moment only. */
const atOnce = 500

/**
 * Deletes messages that are done and older than their stream is kept, also those that no pipeline ever
 * took; never those that still wait or were given up. What they brought stays.
 * @returns how many
 */
export async function forgetOld(database: Queryable, { now, keepDays }: Time): Promise<number> {
  let forgotten = 0
  for (;;) {
    const deleted = await database.execute(sql`
      delete from message where id in (
        select message.id from message left join push_stream using (stream)
        where (state in ('visible', 'rejected') or (state = 'accepted' and reason = ${noPipeline}))
          and coalesce(keep_days, ${keepDays}::integer) > 0
          and message.received < ${now}::timestamptz
            - coalesce(keep_days, ${keepDays}::integer) * interval '1 day'
        limit ${atOnce}
        for update of message skip locked)`)
    forgotten += deleted
    if (deleted < atOnce) break
  }
  await database.execute(sql`
    delete from push_key
    where created < ${now}::timestamptz - ${keyHours}::integer * interval '1 hour'`)
  return forgotten
}
