import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { parked } from '../queue/claim-messages.ts'

type Parked = {
  /** Streams that have a mapping now. */
  readonly streams: readonly string[]
  /** How much waits, and how much may. */
  readonly backlog: { readonly waiting: number; readonly limit: number }
}

/**
 * So many wait at most while there are more to replay, and never more than half of those that may: what is
 * pushed at the same time must have room.
 */
const mostWaiting = 1000

/**
 * Lets messages that came before their stream had a mapping be worked on, the oldest first and some at a
 * time; called again and again. Each is replayed once: it waits for no mapping any more.
 * @returns how many
 */
export async function replayParked(
  database: Queryable,
  { streams, backlog }: Parked,
): Promise<number> {
  const most = Math.min(mostWaiting, Math.max(1, Math.floor(backlog.limit / 2)))
  const room = most - backlog.waiting
  if (streams.length === 0 || room <= 0) return 0
  return database.execute(sql`
    update message set reason = null, attempts = 0, not_before = '-infinity'
    where id in (
      select id from message
      where ${parked} and stream = any(${streams}::text[])
      order by received, id limit ${room}
      for update skip locked)`)
}
