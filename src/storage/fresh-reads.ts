import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { deadline, joinRunning } from '../async/index.ts'
import type { Connections, Lease } from './connections.ts'
import { conditionAfter, databaseUnreachable, mayBeOfServer } from './pg-errors.ts'

/** How long a query waits for a lagging replica before it runs on the primary, in milliseconds. */
const replicaPatience = 200
/** Pause between two checks of a lagging replica, in milliseconds. */
const step = 5
/** How long a query waits for the primary's position before it uses the replica as it is, in ms. */
const primaryPatience = 1000
/** How long queries avoid a server that was lagging or down, in milliseconds. */
const rest = 1000

/**
 * SQL for positions in the write-ahead log, in bytes. A promoted replica has all that it can have.
 */
const writtenPosition = `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as position`
const replayedPosition = `select case when pg_is_in_recovery()
  then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end - '0/0'::pg_lsn as position`

async function positionOf(client: ClientBase, statement: string): Promise<number> {
  const { rows } = await client.query<{ readonly position: string }>(statement)
  return Number(rows[0]?.position)
}

export type FreshReads = {
  /** Connections to the primary, with every use counted. */
  readonly primary: Connections
  /**
   * Returns connections to a replica that has caught up with everything done on the primary, or
   * else to the primary.
   */
  readonly from: (replica: Connections) => Connections
}

/**
 * Reads from replicas that are never older than what this node wrote or read on the primary. So a
 * client that writes through a node can read its writes there, and versions and their data never
 * come from different times.
 *
 * Nothing is checked unless the primary was used. After a use, the next query loads the position of
 * the primary, once for all waiting queries, and a connection to the replica is used once it has
 * replayed that far. While the primary does not respond, queries use the replica as it is; while
 * the replica does not, they run on the primary.
 */
export function freshReads(unwatched: Connections): FreshReads {
  let uses = 0
  let known = { uses: 0, position: 0 }
  const primary = endingWith(unwatched, () => {
    uses += 1
  })
  const locate = joinRunning(async () => {
    const at = uses
    const asked = onOne(unwatched, (client) => positionOf(client, writtenPosition), primaryPatience)
    known = { uses: at, position: await deadline(asked, primaryPatience, databaseUnreachable) }
  })
  let silentUntil = 0
  const required = async () => {
    const mine = uses
    if (performance.now() < silentUntil) return 0
    try {
      while (known.uses < mine) await locate()
      return known.position
    } catch {
      silentUntil = performance.now() + rest
      return 0
    }
  }
  return { primary, from: (replica) => replicaOrPrimary({ primary, replica, required }) }
}

function endingWith(connections: Connections, onEnd: () => void): Connections {
  const lease = async (): Promise<Lease> => {
    const own = await connections.lease()
    const end: Lease['end'] = (condition) => {
      onEnd()
      own.end(condition)
    }
    return { ...own, end }
  }
  return { ...connections, lease }
}

type Sources = {
  readonly primary: Connections
  readonly replica: Connections
  /** Position that the replica must have reached; 0 while the primary does not respond. */
  readonly required: () => Promise<number>
}

function replicaOrPrimary({ primary, replica, required }: Sources): Connections {
  const replayed = new WeakMap<ClientBase, number>()
  let avoidedUntil = 0
  const avoid = () => {
    avoidedUntil = performance.now() + rest
  }
  const fromPrimary = async () => {
    const own = await primary.lease().catch(() => undefined)
    if (own === undefined) return replica.lease()
    return orElse(own, replica, () => {
      avoidedUntil = 0
    })
  }
  const lease = async (): Promise<Lease> => {
    if (performance.now() < avoidedUntil) return fromPrimary()
    const own = await leaseAt(replica, { position: await required(), replayed })
    if (own !== undefined) return orElse(own, primary, avoid)
    avoid()
    return fromPrimary()
  }
  return { ...replica, lease }
}

/** Returns a lease that repeats its work on another server if its own connection is lost. */
function orElse(own: Lease, other: Connections, onLost: () => void): Lease {
  let isLost = false
  return {
    send: async (work, limit) => {
      try {
        return await own.send(work, limit)
      } catch (error) {
        if (!mayBeOfServer(error)) throw error
        isLost = true
        onLost()
        return onOne(other, work, limit)
      }
    },
    end: (condition) => {
      own.end(isLost ? 'broken' : condition)
    },
  }
}

type Goal = { readonly position: number; readonly replayed: WeakMap<ClientBase, number> }

/**
 * @returns a connection to a replica that has replayed that far; undefined if it lags or is down
 */
async function leaseAt(replica: Connections, { position, replayed }: Goal) {
  const lease = await replica.lease().catch(() => undefined)
  if (lease === undefined || position === 0) return lease
  const look = async (client: ClientBase) => {
    const before = replayed.get(client) ?? 0
    const now = before < position ? await positionOf(client, replayedPosition) : before
    replayed.set(client, now)
    return now
  }
  try {
    const end = performance.now() + replicaPatience
    while ((await lease.send(look, primaryPatience)) < position) {
      if (performance.now() > end) {
        lease.end('usable')
        return undefined
      }
      await pause(step)
    }
    return lease
  } catch {
    lease.end('broken')
    return undefined
  }
}

/** Does work on a connection leased for it. */
async function onOne<Result>(
  connections: Connections,
  work: (client: ClientBase) => Promise<Result>,
  limit: number,
): Promise<Result> {
  const lease = await connections.lease()
  try {
    const result = await lease.send(work, limit)
    lease.end('usable')
    return result
  } catch (error) {
    lease.end(conditionAfter(error))
    throw error
  }
}
