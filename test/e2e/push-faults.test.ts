import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import {
  openTestDatabase,
  postgresqlSettings,
  withDatabase,
} from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'
import { startCluster } from '../fixtures/postgresql-cluster.ts'
import { PushLoad, expectAllOnce } from '../fixtures/push-load.ts'
import { useFakeProvider } from '../fixtures/fake-provider.ts'

const long = { timeout: 900_000 }

async function push(hub: HubProcess, token: string, { body, path = '/push/demo/faults' }: Push) {
  const response = await fetch(`${hub.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

type Push = { readonly body: string; readonly path?: string }

const tag = (Id: string, path?: string): Push => ({
  body: JSON.stringify({ kind: 'content', entity: 'Tag', items: [{ Id }] }),
  ...(path === undefined ? {} : { path }),
})

describeOn('postgresql', 'a PostgreSQL server that restarts under load', () => {
  it('loses no acknowledged message, and the hub continues automatically', long, async () => {
    const cluster = await startCluster({
      more: ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'],
    })
    if (cluster === undefined) throw new Error('There is no PostgreSQL')
    const settings = postgresqlSettings(cluster.url)
    const hub = await startHub({ settings })
    const load = new PushLoad()
    await load.start([hub])
    for (const how of ['in order', 'at once', 'in order'] as const) {
      await load.until(200, 30)
      await cluster.halt(how)
      await load.until(503, 3)
      await cluster.resume()
    }
    await load.until(200, 30)
    await load.stop()
    expect([...load.statuses.keys()].toSorted()).toEqual([200, 503])
    await withDatabase(settings, (database) => expectAllOnce(database, load))
    await stopHub(hub)
    await cluster.stop()
  })
})

describeOn('postgresql', 'two hubs on one database', () => {
  let clone: TestDatabase
  beforeEach(async () => {
    clone = await cloneDatabase('postgresql')
  })
  afterEach(() => clone.drop())

  it('share the work, and process each message once', long, async () => {
    const hubs = [
      await startHub({ settings: clone.settings }),
      await startHub({ settings: clone.settings }),
    ]
    const load = new PushLoad()
    await load.start(hubs, 4)
    await load.until(200, 200)
    await load.stop()
    await withDatabase(clone.settings, (database) => expectAllOnce(database, load))
    for (const hub of hubs) await stopHub(hub)
  })

  it('retry a poison message later, and process the valid ones around it', long, async () => {
    const hub = await startHub({ settings: clone.settings })
    await withDatabase(clone.settings, async (database) => {
      await database.execute(sql`
        alter table content.tag add constraint poison check (lower(id) <> 'poison')`)
    })
    const token = await hub.token('demo-provider')
    const ids: string[] = []
    for (const id of ['GOOD-1', 'POISON', 'GOOD-2']) {
      ids.push(JSON.parse((await push(hub, token, tag(id))).text).id)
    }
    const receiptOf = async (id: string | undefined) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${hub.url}/push/demo/faults/${id ?? ''}`, { headers })).json()
    }
    for (const id of [ids[0], ids[2]]) {
      await expect.poll(() => receiptOf(id)).toMatchObject({ state: 'visible' })
    }
    await expect
      .poll(() => receiptOf(ids[1]))
      .toMatchObject({
        state: 'accepted',
        attempts: 2,
        reason: expect.stringContaining('attempt 2'),
      })
    // The cause of the failure is removed, so the next attempt succeeds.
    const database = await openTestDatabase(clone.settings)
    await database.execute(sql`alter table content.tag drop constraint poison`)
    await expect.poll(() => receiptOf(ids[1])).toMatchObject({ state: 'visible', attempts: 3 })
    await database.close()
    await stopHub(hub)
  })

  it(
    'time out a hundred senders that hang in the body, and meanwhile serve the others',
    long,
    async () => {
      const hub = await startHub({
        settings: clone.settings,
        environment: { HUB_PUSH_PATIENCE: '5' },
      })
      const token = await hub.token('demo-provider')
      const { hostname, port } = new URL(hub.url)
      const answers = Array.from({ length: 100 }, () => {
        const { promise, resolve } = Promise.withResolvers<string>()
        const socket = connect(Number(port), hostname)
        let answer = ''
        socket.on('data', (text) => (answer += text.toString()))
        socket.on('error', () => undefined)
        socket.on('close', () => {
          resolve(answer)
        })
        const head = `POST /push/demo/hang HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n`
        socket.write(`${head}content-length: 5000000\r\n\r\n{"kind":`)
        return promise
      })
      expect((await push(hub, token, tag('BESIDE'))).status).toBe(200)
      for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      await withDatabase(clone.settings, async (database) => {
        const rows = await database.query(
          sql`select stream from message where stream <> 'demo/region'`,
        )
        expect(rows).toEqual([{ stream: 'demo/faults' }])
      })
      await stopHub(hub)
    },
  )
})

describeOn('postgresql', 'a slow identity provider', () => {
  const { fake, sign } = useFakeProvider()

  it(
    'fails unverified pushes with 503 after a few seconds, and delays no other request',
    long,
    async () => {
      const clone = await cloneDatabase('postgresql')
      const hub = await startHub({
        settings: clone.settings,
        args: ['serve'],
        environment: { HUB_IDENTITY: 'external', HUB_ISSUER: fake.issuer, HUB_AUDIENCE: 'hub' },
      })
      const token = await sign('first')
      // A provider that responds within a second is fast enough, but a busy machine may delay it.
      await expect.poll(async () => (await push(hub, token, tag('BEFORE'))).status).toBe(200)
      fake.delay = 60_000
      const started = performance.now()
      const slow = push(hub, token, tag('SLOW', '/push/demo/other'))
      await pause(200)
      expect((await fetch(`${hub.url}/v1/Tag?pagesize=1`)).status).toBe(200)
      expect((await push(hub, token, tag('KNOWN'))).status).toBe(200)
      const { status, headers, text } = await slow
      expect([status, JSON.parse(text).errorCode]).toEqual([503, 'HUB-ACC-004'])
      const retryAfter = Number(headers.get('retry-after'))
      expect(retryAfter).toBeGreaterThan(0)
      expect(performance.now() - started).toBeLessThan(30_000)
      fake.delay = 0
      // The hub gives up the hanging request before a sender that obeys Retry-After comes back.
      const after = async () => (await push(hub, token, tag('AFTER', '/push/demo/other'))).status
      await expect.poll(after, { timeout: retryAfter * 1000 }).toBe(200)
      await stopHub(hub)
      await clone.drop()
    },
  )
})
