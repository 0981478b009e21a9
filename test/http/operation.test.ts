import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const grafana = new URL('../../docs/grafana/', import.meta.url)
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined
const withoutPromtool = hasPromtool
  ? ''
  : '[left out: promtool (Debian: prometheus) is not installed; run npm run setup]'

const canary = 'a-secret-that-nobody-may-read'

describeOnEngines('the hub status', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  let admin: Awaited<ReturnType<typeof bearer>>

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await openComposedHub(clone.settings, {
      HUB_METRICS: `token:${canary}`,
      HUB_PORT: '0',
      HUB_QUOTA: 'on',
      HUB_PUSH_WORKERS: '0',
    })
    await hub.listen()
    admin = await bearer(['ADMIN'])
  })
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  const operation = async () => (await hub.ask({ url: '/operation', headers: admin })).json()

  describe('GET /status', () => {
    it('reports to everyone the service statuses and the freshness of the datasets', async () => {
      const answer = await hub.ask({ url: '/status' })
      expect(answer.json()).toMatchObject({ status: 'ok', version: '0.0.0' })
      const { services, datasets } = answer.json()
      expect(services.map(({ service }: { service: string }) => service)).toEqual([
        ...['content', 'timeseries', 'traffic', 'push', 'exports', 'changes'],
      ])
      expect(datasets).toContainEqual(
        expect.objectContaining({ id: 'content/Accommodation', updated: null, freshness: null }),
      )
    })

    it('names a degraded service, and since when', async () => {
      const { id } = await storeDead(hub)
      hub.moveClock(60_000)
      hub.tick(2000)
      await expect.poll(async () => (await operation()).problems).toHaveLength(1)
      hub.tick(5000)
      const find = async () => {
        const { status, services } = (await hub.ask({ url: '/status', headers: admin })).json()
        return { status, push: services.find((one: { service: string }) => one.service === 'push') }
      }
      await expect.poll(find).toMatchObject({ status: 'degraded', push: { status: 'degraded' } })
      // The time of the moved clock, except for the difference to the database's clock.
      const since = new Date((await find()).push.since).getTime()
      expect(Math.abs(since - hub.now().getTime())).toBeLessThan(10_000)
      expect((await operation()).queue).toEqual([
        expect.objectContaining({ stream: 'demo/lost', waiting: 0, dead: 1 }),
      ])
      await hub.store.database.execute(sql`delete from message where id = ${id}`)
    })
  })

  describe('GET /operation', () => {
    it('requires the role ADMIN', async () => {
      expect((await hub.ask({ url: '/operation' })).json()).toMatchObject({
        errorCode: 'HUB-ACC-001',
      })
      const headers = await bearer(['Accommodation_Update'])
      const refused = await hub.ask({ url: '/operation', headers })
      expect(refused.json()).toMatchObject({ status: 403, errorCode: 'HUB-ACC-003' })
    })

    it('shows the state of the database and the node, with statistics', async () => {
      const found = await operation()
      expect(found).toMatchObject({
        version: '0.0.0',
        database: { engine, migrations: { newest: expect.stringMatching(/^\d{4}-/), pending: [] } },
        nodes: [{ id: found.node.id, version: '0.0.0' }],
        statements: { source: 'hub' },
        changes: { heldBackSeconds: 0 },
      })
      expect(found.pools[0]).toMatchObject({ pool: 'write', most: engine === 'embedded' ? 1 : 5 })
      expect(found.node.memoryBytes).toBeGreaterThan(1_000_000)
      expect(found.storage.tables.map(({ table }: { table: string }) => table)).toContain('message')
      expect(found.storage.partitions.length).toBeGreaterThan(3)
      expect(found.statements.shapes[0].calls).toBeGreaterThan(0)
    })

    it('exports its figures to Prometheus', async () => {
      const url = '/metrics'
      const metrics = await hub.ask({ url, headers: { authorization: `Bearer ${canary}` } })
      const names = ['hub_service_ok', 'hub_database_connections', 'hub_database_statement_seconds']
      for (const name of names) expect(metrics.body).toContain(`# TYPE ${name} `)
      expect(metrics.body).toContain('hub_answer_memory_requests_total{result="miss"}')
    })

    it('has every metric that the Grafana dashboard and alert rules use', async () => {
      const url = '/metrics'
      const metrics = await hub.ask({ url, headers: { authorization: `Bearer ${canary}` } })
      const types = [...metrics.body.matchAll(/^# TYPE (\w+) /gm)]
      const known = new Set(types.map(([, name]) => name))
      for (const file of ['dashboard.json', 'alerts.yaml']) {
        const text = await readFile(new URL(file, grafana), 'utf8')
        const names = text.match(/\b(hub|nodejs|process)_\w+/g) ?? []
        expect(names.length).toBeGreaterThan(9)
        for (const name of names) expect(known).toContain(name.replace(/_bucket$/, ''))
      }
    })

    it.skipIf(!hasPromtool)(`passes the tests of its alert rules ${withoutPromtool}`, () => {
      const files = ['test', 'rules', 'alerts.test.yaml']
      const { status, stderr } = spawnSync('promtool', files, { cwd: grafana, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    })

    it('counts requests by client, dataset and format', async () => {
      await hub.ask({ url: '/v1/Accommodation?format=csv', headers: admin })
      await hub.ask({ url: '/v2/flat/ParkingStation' })
      await hub.ask({ url: '/v1/Accommodation/none' })
      const { use } = await operation()
      expect(use.clients).toEqual([
        { name: 'anonymous', requests: 1 },
        { name: 'test', requests: 1 },
      ])
      expect(use.datasets).toEqual([
        { name: 'content/Accommodation', requests: 1 },
        { name: 'timeseries/ParkingStation', requests: 1 },
      ])
      expect(use.formats.map(({ name }: { name: string }) => name)).toContain('text/csv')
    })

    it('lists the settings with their origins, and never a secret', async () => {
      const answer = await hub.ask({ url: '/operation', headers: admin })
      expect(answer.body).not.toContain(canary)
      if (engine === 'postgresql') expect(answer.body).not.toContain('postgres://')
      const { settings } = answer.json()
      expect(settings).toContainEqual({
        ...{ name: 'HUB_METRICS', value: null, isSecret: true, isSet: true, origin: 'environment' },
      })
      expect(settings).toContainEqual({
        ...{ name: 'HUB_STATEMENT_TIMEOUT', isSecret: false, isSet: true },
        ...{ value: expect.stringMatching(/^\d+m?s$/), origin: 'default' },
      })
    })

    it('lists other nodes, including killed ones for a day', async () => {
      const day = 86_400_000
      await hub.store.database.execute(sql`
        insert into node (id, version, started, last_seen) values
          (gen_random_uuid(), 'killed', ${hub.now()}, ${new Date(hub.now().getTime() - day + 1000)})`)
      const versions = async () =>
        (await operation()).nodes.map(({ version }: { version: string }) => version)
      expect(await versions()).toEqual(['0.0.0', 'killed'])
      hub.moveClock(60_000)
      hub.tick(30_000)
      await expect.poll(versions).toEqual(['0.0.0'])
    })
  })

  describe('/operation/partitions', () => {
    const post = async (path: string, payload?: object, headers: object = admin) =>
      hub.ask({
        ...{ method: 'POST', url: `/operation/partitions/${path}`, headers: { ...headers } },
        ...(payload === undefined ? {} : { payload }),
      })
    const partitions = async (): Promise<readonly Record<string, unknown>[]> =>
      (await operation()).storage.partitions
    const stateOf = async (month: unknown) =>
      (await partitions()).find((one) => one['month'] === month)?.['state']
    const codeOf = async (sent: ReturnType<typeof post>) => {
      const { errorCode, status } = (await sent).json()
      return [status, errorCode]
    }

    it('retires and reattaches the oldest month, with the caller in the audit log', async () => {
      const months = (await partitions()).flatMap(({ month }) => month ?? [])
      const [oldest, next] = months.map(String)
      const wish = { before: next, how: 'move' }
      const planned = await post('retire', { ...wish, dryRun: true })
      const name = `measurement_${String(oldest).replace('-', '_')}`
      expect(planned.json()).toEqual({ months: [{ name, outcome: 'move' }] })
      expect(await stateOf(oldest)).toBe('attached')
      expect((await post('retire', wish)).json()).toEqual(planned.json())
      expect(await stateOf(oldest)).toBe('moved')
      const attached = await post(`${String(oldest)}/attach`)
      expect(attached.json()).toEqual({ month: oldest, state: 'attached' })
      expect(await stateOf(oldest)).toBe('attached')
      const kept = await hub.store.database.query(sql`select from measurement_retention`)
      expect(kept).toHaveLength(0)
      const url = '/access/audit?dataset=Partition'
      const { entries } = (await hub.ask({ url, headers: admin })).json()
      const by = { record: name, name: 'caller with ADMIN', client: 'test' }
      expect(entries).toMatchObject([
        { ...by, operation: 'Create', changes: { how: [null, 'attach'] } },
        { ...by, operation: 'Delete', changes: { how: [null, 'move'] } },
      ])
    })

    it('refuses current, missing and attached months, and callers without ADMIN', async () => {
      const month = hub.now().toISOString().slice(0, 7)
      expect(await codeOf(post('retire', { before: '2099-01' }))).toEqual([409, 'HUB-OPR-001'])
      expect(await codeOf(post('retire', { before: '2020-13' }))).toEqual([400, 'HUB-BDY-001'])
      expect(await codeOf(post(`${month}/attach`))).toEqual([409, 'HUB-OPR-001'])
      expect(await codeOf(post('2001-01/attach'))).toEqual([404, 'HUB-RTE-003'])
      expect((await post('may/attach')).statusCode).toBe(404)
      const headers = await bearer(['Accommodation_Update'])
      for (const path of ['retire', `${month}/attach`])
        expect(await codeOf(post(path, { before: month }, headers))).toEqual([403, 'HUB-ACC-003'])
    })
  })

  it('is reported even while the database does not respond', async () => {
    await hub.store.database.close()
    hub.tick(5000)
    const find = async () => (await hub.ask({ url: '/status', headers: admin })).json()
    await expect.poll(find).toMatchObject({ status: 'down' })
    const { services } = await find()
    const traffic = services.find((one: { service: string }) => one.service === 'traffic')
    expect(traffic.status).toBe('degraded')
  })
})

/** Stores a message whose delivery was given up. */
async function storeDead(hub: ComposedHub): Promise<{ readonly id: string }> {
  const id = randomUUID()
  await hub.store.database.execute(sql`
    insert into message (id, stream, received, sender, may_backdate, body, sha256, state)
    values (${id}, 'demo/lost', now(), 'test', false, '', '', 'dead')`)
  return { id }
}
