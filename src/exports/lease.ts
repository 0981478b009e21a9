import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'

/** How long a process that says nothing keeps others from making exports. */
const seconds = 300

/** How often it says something at most, in milliseconds. */
const interval = 15_000

export type Lease = {
  /** @throws Error when another process has taken over, because this one was silent for too long */
  readonly renew: () => Promise<void>
  readonly release: () => Promise<void>
}

/**
 * Has one process make exports at a time. No lock of the database itself can do that: exports take minutes, and the
 * embedded database has one connection.
 * @returns undefined while another process makes exports
 */
export async function takeLease(database: Queryable, holder: string): Promise<Lease | undefined> {
  const take = () =>
    database.execute(sql`
      insert into export_lease (holder, until)
      values (${holder}, clock_timestamp() + ${seconds}::int * interval '1 second')
      on conflict (only_row) do update set holder = excluded.holder, until = excluded.until
      where export_lease.holder = excluded.holder or export_lease.until < clock_timestamp()`)
  if ((await take()) === 0) return undefined
  let renewed = performance.now()
  return {
    renew: async () => {
      if (performance.now() - renewed < interval) return
      if ((await take()) === 0) throw new Error('Another process has begun to make exports.')
      renewed = performance.now()
    },
    release: async () => {
      await database.execute(sql`delete from export_lease where holder = ${holder}`)
    },
  }
}
