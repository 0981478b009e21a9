import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { postgresqlSettings, withDatabase } from '../fixtures/database-settings.ts'
import { describeOn } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'
import { hasPgBouncer, startPgBouncer } from '../fixtures/pgbouncer.ts'
import { startCluster, startReplica } from '../fixtures/postgresql-cluster.ts'
import type { Cluster } from '../fixtures/postgresql-cluster.ts'

const acceptance = Type.Object({ id: Type.String() })
const receiptShape = Type.Object({ state: Type.String() })
const page = Type.Object({ TotalResults: Type.Integer() })

/** Both hubs have the same public URL, so that each accepts tokens issued by the other. */
const environment = { HUB_PUBLIC_URL: 'http://hub.test' }

const note = hasPgBouncer ? '' : ' [left out: pgbouncer is not installed]'

describe.skipIf(!hasPgBouncer)(`PgBouncer in transaction mode${note}`, () => {
  describeOn('postgresql', 'two nodes on a primary behind it, and on a replica', whileFailingOver)
})

function whileFailingOver(): void {
  let primary: Cluster
  let replica: Cluster
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>
  let hubs: readonly HubProcess[] = []
  let authorization = ''

  beforeAll(async () => {
    // Synchronous replication: the replica has everything that the primary acknowledges.
    const more = ['synchronous_commit=on', 'synchronous_standby_names=*']
    const started = await startCluster({ more })
    if (started === undefined) throw new Error('PostgreSQL is not installed')
    primary = started
    replica = await startReplica(primary, { more: ['synchronous_commit=on'] })
    pooler = await startPgBouncer(primary)
    const settings = {
      ...postgresqlSettings(pooler.url),
      HUB_DATABASE_POOLER: 'transaction' as const,
      DATABASE_READ_URL: `postgres://postgres@127.0.0.1:${new URL(replica.url).port}/postgres`,
    }
    const first = await startHub({ settings, environment })
    hubs = [first, await startHub({ settings, environment })]
    authorization = `Bearer ${await first.token('demo-provider')}`
  })
  afterAll(async () => {
    for (const hub of hubs) await stopHub(hub)
    await pooler.stop()
    await replica.stop()
    await primary.stop()
  })

  const push = (hub: HubProcess, id: string) =>
    fetch(`${hub.url}/push/demo/events`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ kind: 'content', entity: 'Event', items: [{ Id: id }] }),
    })
  const getJson = async (hub: HubProcess, path: string) =>
    (await fetch(`${hub.url}${path}`, { headers: { authorization } })).json()
  const stateOf = async (hub: HubProcess, receipt: string) =>
    Parse(receiptShape, await getJson(hub, `/push/demo/events/${receipt}`)).state
  const shows = async (hub: HubProcess, id: string) =>
    (await fetch(`${hub.url}/v1/Event/${id}`)).status === 200
  const currentOffset = async (hub: HubProcess) => {
    const { headers } = await fetch(`${hub.url}/changes/Event?offset=now`)
    return `/changes/Event?offset=${headers.get('stream-next-offset') ?? ''}`
  }
  const pauseReplay = (statement: 'pause' | 'resume') =>
    withDatabase(postgresqlSettings(replica.url), (direct) =>
      direct.query(
        statement === 'pause'
          ? sql`select pg_wal_replay_pause()`
          : sql`select pg_wal_replay_resume()`,
      ),
    )

  it('show a record once its receipt reports it visible, even if the replica lags', async () => {
    for (let n = 0; n < 40; n++) {
      if (n === 20) await pauseReplay('pause')
      const id = `LATE${String(n)}`
      const hub = hubs[n % 2]
      if (hub === undefined) throw new Error('No hub runs')
      const { id: receipt } = Parse(acceptance, await (await push(hub, id)).json())
      await expect.poll(() => stateOf(hub, receipt), { interval: 5 }).toBe('visible')
      expect(await shows(hub, id)).toBe(true)
      const { TotalResults: total } = Parse(page, await getJson(hub, '/v1/Event?pagesize=1'))
      expect(total).toBeGreaterThanOrEqual(n + 1)
    }
    await pauseReplay('resume')
  })

  it('serve all reads during a failover, and lose nothing that they acknowledged', async () => {
    const acknowledged: string[] = []
    const offsets = await Promise.all(hubs.map(currentOffset))
    const statuses = new Map<string, number>()
    const note = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1)
    let isOver = false
    const writing = hubs.map(async (hub, at) => {
      for (let n = 0; !isOver; n++) {
        const id = `F${String(at)}X${String(n)}`
        const { status } = await push(hub, id)
        note(`push ${String(status)}`)
        if (status === 200) acknowledged.push(id)
        await pause(10)
      }
    })
    const reading = hubs.map(async (hub) => {
      while (!isOver) {
        note(`read ${String((await fetch(`${hub.url}/v1/Event/LATE1`)).status)}`)
        note(`list ${String((await fetch(`${hub.url}/v1/Event?pagesize=5`)).status)}`)
        await pause(10)
      }
    })
    await pause(1000)
    await primary.halt('at once')
    await pause(1000)
    await withDatabase(postgresqlSettings(replica.url), (direct) =>
      direct.query(sql`select pg_promote()`),
    )
    await pooler.leadTo(replica)
    const back = performance.now()
    for (const hub of hubs) {
      await expect.poll(async () => (await push(hub, 'BACK')).status).toBe(200)
    }
    expect(performance.now() - back).toBeLessThan(10_000)
    await pause(1000)
    isOver = true
    await Promise.all([...writing, ...reading])
    // PgBouncer may hold a push until the new primary is available, or refuse it; the hub then does
    // the same.
    statuses.delete('push 503')
    expect([...statuses.keys()].sort()).toEqual(['list 200', 'push 200', 'read 200'])
    // The new primary may have assigned the same positions to other changes.
    for (const [at, follower] of hubs.entries()) {
      const status = async () => (await fetch(`${follower.url}${offsets[at] ?? ''}`)).status
      await expect.poll(status).toBe(410)
    }
    const [hub] = hubs
    if (hub === undefined) throw new Error('No hub runs')
    const missing = async () => {
      const found = await Promise.all(acknowledged.map((id) => shows(hub, id)))
      return acknowledged.filter((_, at) => !found[at])
    }
    await expect.poll(missing, { interval: 500 }).toEqual([])
  })
}
