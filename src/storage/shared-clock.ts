import { sql } from '../sql/index.ts'
import type { Queryable } from './database.ts'

/** How often the clocks are compared, in milliseconds. */
const interval = 60_000

type Deps = {
  readonly database: Pick<Queryable, 'query'>
  readonly now: () => Date
  readonly every: (milliseconds: number, work: () => void) => unknown
  /** What is compared with the database's clock: `now` may be moved by a test. */
  readonly machine: () => Date
}

/**
 * The time of the database, which all nodes of a hub share: what a node with a wrong clock stores is neither older
 * nor younger than what the others do (decision D53), and what it holds for a time is held that long. It is right to
 * within the time that the database takes to answer.
 */
export async function sharedClock(deps: Deps): Promise<() => Date> {
  const { database, now, every, machine } = deps
  let ahead = 0
  const compare = async () => {
    const before = machine().getTime()
    const [row] = await database.query<{ at: Date }>(sql`select clock_timestamp() as at`)
    if (row !== undefined) ahead = row.at.getTime() - (before + machine().getTime()) / 2
  }
  await compare()
  // One that fails is made good by the next one.
  every(interval, () => void compare().catch(() => undefined))
  return () => new Date(now().getTime() + ahead)
}
