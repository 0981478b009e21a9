import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import { pairKeyOf } from './attempts.ts'
import type { Attempt } from './attempts.ts'

/** From where users have proved who they are in the last 30 days; all nodes share it, and it outlives a restart. */
export type KnownAddresses = {
  readonly has: (attempt: Attempt) => Promise<boolean>
  readonly add: (attempt: Attempt) => Promise<void>
}

const daysKept = 30

/** Clients are not among them: their failures count by address only. */
export function knownAddresses(
  database: Queryable,
  { now }: { readonly now: () => Date },
): KnownAddresses {
  const oldest = () => sql`${now()}::timestamptz - ${daysKept} * interval '1 day'`
  return {
    has: async (attempt) => {
      if (attempt.kind === 'client') return false
      const [row] = await database.texts(sql`
        select 'known' from identity_known_address
        where key = ${pairKeyOf(attempt)} and seen > ${oldest()}`)
      return row !== undefined
    },
    add: async (attempt) => {
      if (attempt.kind === 'client') return
      await database.execute(sql`
        with forgotten as (delete from identity_known_address where seen <= ${oldest()})
        insert into identity_known_address (key, seen) values (${pairKeyOf(attempt)}, ${now()})
        on conflict (key) do update set seen = excluded.seen`)
    },
  }
}
