import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'

/** How long claimed messages are kept from others at a time, in milliseconds, and when that is renewed. */
const length = 60_000
const interval = 15_000

export type Lease = {
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
  const renew = async () => {
    const until = new Date(now().getTime() + length)
    await database.execute(sql`
      update message set not_before = ${until}
      where id = any(${[...ids]}::uuid[]) and state = 'processing'`)
  }
  await renew()
  let renewing: Promise<void> | undefined
  const timer = setInterval(() => {
    // One that fails is made good by the next one.
    renewing ??= renew()
      .catch(() => undefined)
      .finally(() => {
        renewing = undefined
      })
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
