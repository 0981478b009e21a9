import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Every } from '../async/index.ts'
import type { Problem } from '../observe/index.ts'
import type { Database } from '../storage/index.ts'
import { findOldestRunning, pruneChanges } from './order.ts'

type Deps = {
  readonly database: Database
  readonly metrics: Registry
  readonly every: Every
  readonly now: () => Date
  /** How long changes are kept, in days. 0 means forever. */
  readonly days: number
  readonly onError: (error: unknown) => void
}

const oneMinute = 60_000
const oneDay = 86_400_000

/** Changes are kept for this many more days after the offsets before them have expired. */
const spare = 2

/** Statements per minute, so that other work gets its turn after an upgrade of an old database. */
const maxRounds = 20

/** A transaction that holds back the feeds for this many seconds is reported as a problem. */
const patience = 60

/** Deletes old changes, and monitors transactions that hold back the feeds. */
export function keepChanges(deps: Deps): {
  readonly stop: () => void
  readonly problems: () => readonly Problem[]
} {
  const { database, metrics, every, now, days, onError } = deps
  let isStopped = false
  let oldest: { readonly xid: string | undefined; readonly since: number } | undefined
  const heldBack = () =>
    oldest?.xid === undefined ? 0 : Math.round((now().getTime() - oldest.since) / 1000)
  const gauge = new Gauge({
    name: 'hub_feed_held_back_seconds',
    help: 'For how long at least the oldest running transaction has been the same: feeds show nothing younger',
    registers: [metrics],
  })
  const run = async () => {
    const xid = await findOldestRunning(database)
    if (oldest?.xid !== xid) oldest = { xid, since: now().getTime() }
    gauge.set(heldBack())
    if (days === 0) return
    const before = new Date(now().getTime() - (days + spare) * oneDay)
    for (let rounds = 0; rounds < maxRounds && !isStopped; rounds += 1) {
      if ((await pruneChanges(database, before)) === 0) return
    }
  }
  const end = every(oneMinute, () => run().catch(onError))
  const stop = () => {
    isStopped = true
    end()
  }
  const problems = () => {
    const seconds = heldBack()
    if (seconds < patience) return []
    const detail = `A transaction has been open for at least ${String(seconds)} s; the change feeds wait for its end.`
    return [{ component: 'changes', detail }]
  }
  return { stop, problems }
}
