import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** So often a message is tried; then it is dead until it is replayed. */
export const mostAttempts = 8

/** Seconds of the longest pause between two attempts; the first ones take 2, 4, 8 … seconds. */
const longestPause = 300

/** Messages that are worked on in one transaction: one commit for many small ones. */
const mostAtOnce = 50
const mostBytesAtOnce = 1_048_576

const exhausted = 'the hub ended during every attempt to store it'

/** Messages that wait, and can be worked on by what the hub knows. */
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
 * a stream that asks for its order only the first that waits is taken. One whose worker died before it
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

/** How long a message rests after so many attempts. */
export function pauseAfter(attempts: Sql): Sql {
  return sql`least(power(2, ${attempts}), ${longestPause}) * interval '1 second'`
}
