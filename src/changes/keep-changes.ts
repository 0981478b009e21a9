import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Every } from '../access/index.ts'
import type { Problem } from '../observe/index.ts'
import type { Database } from '../storage/index.ts'
import { heldBack, pruneChanges } from './order.ts'

type Deps = {
  readonly database: Database
  readonly metrics: Registry
  readonly every: Every
  readonly now: () => Date
  /** How long changes are kept; 0: forever. */
  readonly days: number
  readonly onError: (error: unknown) => void
}

const oneMinute = 60_000
const oneDay = 86_400_000

/** Seconds after which a transaction that holds back the feeds is a problem. */
const patience = 60

/** Deletes old changes, and watches what holds back the feeds. */
export function keepChanges(deps: Deps): {
  readonly stop: () => void
  readonly problems: () => readonly Problem[]
} {
  const { database, metrics, every, now, days, onError } = deps
  let seconds = 0
  const gauge = new Gauge({
    name: 'hub_feed_held_back_seconds',
    help: 'Age of the oldest running transaction that writes: feeds show nothing younger',
    registers: [metrics],
  })
  const run = async () => {
    seconds = database.engine === 'embedded' ? 0 : await heldBack(database)
    gauge.set(seconds)
    if (days > 0) await pruneChanges(database, new Date(now().getTime() - days * oneDay))
  }
  const stop = every(oneMinute, () => void run().catch(onError))
  const problems = () =>
    seconds < patience
      ? []
      : [
          {
            component: 'changes',
            detail: `A transaction has been open for ${String(Math.round(seconds))} s; the change feeds wait for its end.`,
          },
        ]
  return { stop, problems }
}
