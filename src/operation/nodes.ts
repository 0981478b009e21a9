import type { Every } from '../async/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'

/** A process of the hub. */
export type Node = {
  readonly id: string
  readonly version: string
  readonly started: Date
}

type Deps = {
  readonly database: Queryable
  readonly every: Every
  readonly now: () => Date
  readonly onError: (error: unknown) => void
}

const halfAMinute = 30_000
const oneDay = 86_400_000

/**
 * Registers a process among the nodes of its hub until it ends. A killed process stays listed for a
 * day, so that its loss is noticed.
 */
export async function announceNode(deps: Deps, node: Node): Promise<() => Promise<void>> {
  const { database, every, now, onError } = deps
  const renew = async () => {
    const seen = now()
    await database.execute(sql`
      insert into node (id, version, started, last_seen)
      values (${node.id}, ${node.version}, ${node.started}, ${seen})
      on conflict (id) do update set last_seen = excluded.last_seen`)
    const gone = new Date(seen.getTime() - oneDay)
    await database.execute(sql`delete from node where last_seen < ${gone}`)
  }
  await renew()
  const end = every(halfAMinute, () => renew().catch(onError))
  return async () => {
    end()
    // If the database is unavailable, the row expires like that of a killed process.
    await database.execute(sql`delete from node where id = ${node.id}`).catch(onError)
  }
}

/** Returns all nodes, oldest first. */
export function loadNodes(database: Queryable) {
  return database.query<Node & { readonly lastSeen: Date }>(sql`
    select id, version, started, last_seen as "lastSeen" from node order by started, id`)
}
