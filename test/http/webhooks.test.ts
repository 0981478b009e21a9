import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { storeRecords } from '../../src/content/index.ts'
import type { ContentRecord } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { listen } from '../fixtures/listen.ts'

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }

type Shown = {
  readonly id: string
  readonly url: string
  readonly owner: string
  readonly state: string
  readonly attempts: number
  readonly nextAttempt: string | null
  readonly lastSuccess: string | null
  readonly lastStatus: number | null
  readonly lastError: string | null
}

type Created = Shown & { readonly secret: string; readonly offset: string }

const [minute, hour] = [60_000, 3_600_000]
const closed = { LicenseInfo: { ClosedData: true } }

describeOnEngines('Webhooks', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  let receiver: Awaited<ReturnType<typeof listen>>
  let received: Received[] = []
  let status = 204
  let answer: Promise<void> | undefined

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await openComposedHub(clone.settings)
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        received.push({ headers: request.headers, body })
        const location = status === 302 ? { location: `${receiver.url}/elsewhere` } : {}
        void Promise.resolve(answer).then(() => response.writeHead(status, location).end())
      })
    })
    receiver = await listen(server)
  })
  afterAll(async () => {
    await receiver.close()
    await hub.close()
    await clone.drop()
  })
  beforeEach(() => {
    received = []
    status = 204
    answer = undefined
  })
  afterEach(async () => {
    await hub.store.database.execute(sql`delete from change_subscription`)
  })

  const write = async (records: readonly ContentRecord[], deletions: readonly string[] = []) => {
    const entity = hub.store.entities.find(({ name }) => name === 'Event')
    if (entity === undefined) throw new Error('no Event')
    hub.moveClock(1000)
    const saved = { entity, records, deletions, received: hub.now(), provider: 'demo' }
    await hub.store.database.transaction((tx) => storeRecords(tx, saved))
  }
  const record = (id: string, more: object = {}): ContentRecord => ({
    ...{ Id: id, Shortname: id, _Meta: { Source: 'a22' } },
    ...more,
  })
  const subscriptions = '/changes/Event/subscriptions'
  const post = async (payload: object, roles: readonly string[] = ['ChangeSubscriber']) =>
    hub.ask({ method: 'POST', url: subscriptions, headers: await bearer(roles), payload })
  const subscribe = async (more: object = {}, roles?: readonly string[]) => {
    const created = await post({ url: `${receiver.url}/hook`, ...more }, roles)
    expect(created.statusCode).toBe(201)
    return created.json<Created>()
  }
  const list = async (roles: readonly string[] = ['ChangeSubscriber']) => {
    const found = await hub.ask({ url: subscriptions, headers: await bearer(roles) })
    return found.json<{ subscriptions: readonly Shown[] }>().subscriptions
  }
  const idle = async (one = hub) => {
    const [row] = await one.store.database.texts(sql`
      select count(*) from change_subscription where lease is not null`)
    return row?.[0] === '0'
  }
  /** Has the hub check its feeds until it has nothing to do. */
  const work = async (...hubs: readonly ComposedHub[]) => {
    const all = hubs.length === 0 ? [hub] : hubs
    for (let round = 0; round < 3; round += 1) {
      for (const one of all) one.tick(1000)
      await new Promise((resolve) => setTimeout(resolve, 60))
      await expect.poll(() => idle(), { timeout: 15_000 }).toBe(true)
    }
  }
  const bodies = () =>
    received.map(({ body }) => JSON.parse(body) as { type: string; feed: string; offset: string })
  const headersOf = (one: Received | undefined) => ({
    'webhook-id': String(one?.headers['webhook-id']),
    'webhook-timestamp': String(one?.headers['webhook-timestamp']),
    'webhook-signature': String(one?.headers['webhook-signature']),
  })
  const read = async (offset: string, roles: readonly string[] = ['ChangeSubscriber']) => {
    const page = await hub.ask({
      url: `/changes/Event?offset=${offset}&fields=Id`.replace('&fields=Id', ''),
      headers: await bearer(roles),
    })
    expect(page.statusCode).toBe(200)
    return page.json<readonly { key: string }[]>().map(({ key }) => key)
  }

  it('state the feed and its new offset, signed as in Standard Webhooks', async () => {
    const { secret, offset, id, state } = await subscribe()
    expect([secret.startsWith('whsec_'), state]).toEqual([true, 'active'])
    await work()
    expect(received).toEqual([])
    await write([record('A')])
    await work()
    expect(bodies()).toEqual([{ type: 'changes', feed: 'Event', offset: expect.any(String) }])
    const [first] = received
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(new Webhook(secret).verify(first?.body ?? '', headersOf(first))).toEqual(bodies()[0])
    expect(await read(offset)).toEqual(['A'])
    expect(await read(bodies()[0]?.offset ?? '')).toEqual([])
    const [shown] = await list()
    expect(shown).toMatchObject({ id, lastStatus: 204, lastError: null, attempts: 0 })
    expect(JSON.stringify(shown)).not.toContain(secret)
  })

  it('come once for many changes, and once more for those of meanwhile', async () => {
    await subscribe()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    answer = promise
    for (let count = 0; count < 5; count += 1) await write([record(`M${String(count)}`)])
    hub.tick(1000)
    await expect.poll(() => received.length).toBe(1)
    for (let count = 5; count < 9; count += 1) {
      await write([record(`M${String(count)}`)])
      hub.tick(1000)
    }
    expect(received).toHaveLength(1)
    resolve(undefined)
    await work()
    expect(received).toHaveLength(2)
    expect(await read(bodies()[0]?.offset ?? '')).toEqual(['M5', 'M6', 'M7', 'M8'])
  })

  it('come for deletes, too', async () => {
    await write([record('GONE')])
    await subscribe()
    await write([], ['GONE'])
    await work()
    expect(received).toHaveLength(1)
  })

  it('do not come for what the subscriber cannot see, but for those who can', async () => {
    const { offset } = await subscribe()
    const privileged = await subscribe({}, ['ChangeSubscriber', 'BDP_VIEW_CLOSED_DATA'])
    await write([record('SECRET', closed)])
    await write([record('SECRET', { ...closed, Shortname: 'new' })])
    await work()
    expect(received).toHaveLength(1)
    const [only] = received
    expect(new Webhook(privileged.secret).verify(only?.body ?? '', headersOf(only))).toBeDefined()
    await write([record('OPEN')])
    await work()
    expect(received).toHaveLength(3)
    expect(await read(offset)).toEqual(['OPEN'])
  })

  it('come when the rules of the subscriber change, since his offset is void then', async () => {
    const { offset } = await subscribe()
    await hub.store.database.execute(sql`
      insert into access_rule (role, area, origin) values ('GUEST', 'content', 'elsewhere')`)
    hub.tick(3000)
    hub.moveClock(2 * minute)
    await expect
      .poll(async () => {
        await work()
        return received.length
      })
      .toBe(1)
    const headers = await bearer(['ChangeSubscriber'])
    const old = await hub.ask({ url: `/changes/Event?offset=${offset}`, headers })
    expect(old.json()).toMatchObject({ status: 410, errorCode: 'HUB-CHG-001' })
    expect(await read(bodies()[0]?.offset ?? '')).toEqual([])
  })

  it('are tried again under the same identifier, after growing waits, then fail for good', async () => {
    const { secret } = await subscribe()
    status = 500
    await write([record('R')])
    await work()
    expect(received).toHaveLength(1)
    expect(await list()).toMatchObject([
      {
        state: 'active',
        attempts: 1,
        lastStatus: 500,
        lastError: 'The receiver responded with 500.',
      },
    ])
    const waits = [
      5000,
      5 * minute,
      30 * minute,
      ...[2, 5, 10, 14, 20, 20].map((one) => one * hour),
    ]
    expect(waits.reduce((sum, one) => sum + one, 0) / hour).toBeGreaterThan(71)
    for (const [index, wait] of waits.entries()) {
      hub.moveClock(wait - 1000)
      await work()
      expect(received).toHaveLength(index + 1)
      hub.moveClock(1001)
      await work()
      expect(received).toHaveLength(index + 2)
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    const last = headersOf(received.at(-1))
    const sent = new Date(Number(last['webhook-timestamp']) * 1000)
    const body = received.at(-1)?.body ?? ''
    expect(new Webhook(secret).sign(last['webhook-id'], sent, body)).toBe(last['webhook-signature'])
    expect(await list()).toMatchObject([{ state: 'failed', attempts: 10, nextAttempt: null }])
    await write([record('R2')])
    await work()
    expect(received).toHaveLength(waits.length + 1)
  })

  it('are accepted at a later attempt, and then go on', async () => {
    await subscribe()
    status = 503
    await write([record('L1')])
    await work()
    status = 200
    hub.moveClock(5001)
    await work()
    expect(await list()).toMatchObject([{ attempts: 0, lastStatus: 200, lastError: null }])
    await write([record('L2')])
    await work()
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([3, 2])
  })

  it('end with a 410', async () => {
    await subscribe()
    status = 410
    await write([record('E1')])
    await work()
    await write([record('E2')])
    hub.moveClock(hour)
    await work()
    expect(received).toHaveLength(1)
    expect(await list()).toMatchObject([{ state: 'ended', lastStatus: 410, nextAttempt: null }])
  })

  it('do not follow redirects', async () => {
    await subscribe()
    status = 302
    await write([record('MOVED')])
    await work()
    expect(received).toHaveLength(1)
    expect(await list()).toMatchObject([{ attempts: 1, lastStatus: 302 }])
  })

  it('note that nobody listens', async () => {
    const created = await post({ url: 'http://127.0.0.1:9/hook' })
    expect(created.statusCode).toBe(201)
    await write([record('N')])
    await work()
    expect(await list()).toMatchObject([
      { attempts: 1, lastStatus: null, lastError: 'The connection to the receiver failed.' },
    ])
  })

  it('are counted in metrics', async () => {
    await subscribe()
    await write([record('COUNTED')])
    await work()
    hub.tick(60_000)
    await expect
      .poll(async () => (await hub.ask({ url: '/metrics' })).body)
      .toContain('hub_webhook_subscriptions{state="active"} 1')
    const { body } = await hub.ask({ url: '/metrics' })
    for (const outcome of ['accepted', 'failed', 'gone']) {
      expect(body).toMatch(new RegExp(`hub_webhook_deliveries_total\\{outcome="${outcome}"\\} \\d`))
    }
    await work()
  })

  it('take a key of the subscriber, and refuse one that is none', async () => {
    const secret = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`
    expect((await subscribe({ secret })).secret).toBe(secret)
    await write([record('K')])
    await work()
    const [first] = received
    expect(new Webhook(secret).verify(first?.body ?? '', headersOf(first))).toEqual(bodies()[0])
    for (const wrong of ['whsec_c2hvcnQ=', 'secret', `${secret}!`]) {
      const refused = await post({ url: receiver.url, secret: wrong })
      expect(refused.json()).toMatchObject({ status: 400, errorCode: 'HUB-BDY-001' })
    }
  })

  it('need the role, and a feed that exists', async () => {
    const payload = { url: receiver.url }
    const open = await hub.ask({ method: 'POST', url: subscriptions, payload })
    expect(open.json()).toMatchObject({ status: 401, errorCode: 'HUB-ACC-001' })
    expect((await post(payload, ['Event_Create'])).json()).toMatchObject({
      ...{ status: 403, errorCode: 'HUB-ACC-003' },
    })
    const headers = await bearer(['ChangeSubscriber'])
    const url = '/changes/Nothing/subscriptions'
    expect((await hub.ask({ method: 'POST', url, headers, payload })).json()).toMatchObject({
      ...{ status: 404, errorCode: 'HUB-RTE-003' },
    })
    expect((await hub.ask({ url: subscriptions })).statusCode).toBe(401)
  })

  it('are shown to and deleted by their owner and ADMIN only', async () => {
    const { id } = await subscribe()
    const other = ['ChangeSubscriber', 'Other']
    const url = `${subscriptions}/${id}`
    const as = async (method: 'GET' | 'DELETE', roles: readonly string[]) =>
      (await hub.ask({ method, url, headers: await bearer(roles) })).statusCode
    expect([await list(other), (await list(['ADMIN'])).length]).toEqual([[], 1])
    expect([await as('GET', other), await as('DELETE', other)]).toEqual([404, 404])
    expect([await as('GET', ['ChangeSubscriber']), await as('GET', ['ADMIN'])]).toEqual([200, 200])
    expect(await as('DELETE', ['ChangeSubscriber'])).toBe(204)
    expect(await as('DELETE', ['ChangeSubscriber'])).toBe(404)
    await write([record('AFTER')])
    await work()
    expect(received).toEqual([])
  })

  it('are limited for each caller, also for requests at once', async () => {
    const created = await Promise.all(
      Array.from({ length: 22 }, () => post({ url: `${receiver.url}/hook` })),
    )
    const refused = created.filter(({ statusCode }) => statusCode !== 201)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.json()).toMatchObject({ status: 409, errorCode: 'HUB-CHG-003' })
    await subscribe({}, ['ChangeSubscriber', 'Other'])
  })

  it.each([
    'ftp://example.org/',
    'not a url',
    'http://10.0.0.1/',
    'https://192.168.0.1/',
    'https://a:b@example.org/',
  ])('are not sent to %s', async (url) => {
    expect((await post({ url })).json()).toMatchObject({ status: 400, errorCode: 'HUB-CHG-002' })
  })

  it('take URLs of 2,000 characters at most', async () => {
    const url = `${receiver.url}/${'a'.repeat(2000)}`
    expect((await post({ url })).json()).toMatchObject({ status: 400, errorCode: 'HUB-BDY-001' })
  })

  it('are continued by the next hub after one that ended between two attempts', async () => {
    await subscribe()
    status = 500
    await write([record('RESTART')])
    await work()
    await hub.close()
    hub = await openComposedHub(clone.settings)
    status = 204
    await work()
    expect(received).toHaveLength(1)
    hub.moveClock(hour)
    await work()
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
    expect(await list()).toMatchObject([{ attempts: 0, state: 'active' }])
  })

  it('are not counted as failed when the hub ends while it sends', async () => {
    await subscribe()
    answer = Promise.withResolvers<undefined>().promise.then(() => undefined)
    await write([record('STOP')])
    hub.tick(1000)
    await expect.poll(() => received.length).toBe(1)
    await hub.close()
    answer = undefined
    hub = await openComposedHub(clone.settings)
    expect(await list()).toMatchObject([{ attempts: 0, lastError: null }])
    hub.moveClock(minute)
    await work()
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  })

  it('are delivered again after a node that was killed, when its lease is over', async () => {
    await subscribe()
    status = 500
    await write([record('KILLED')])
    await work()
    status = 204
    // What a node leaves that was killed while it sent.
    await hub.store.database.execute(sql`
      update change_subscription set lease = gen_random_uuid(), leased = ${hub.now()}, next_attempt = ${hub.now()}`)
    hub.moveClock(minute)
    hub.tick(1000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(received).toHaveLength(1)
    hub.moveClock(2 * minute)
    await expect
      .poll(() => {
        hub.tick(1000)
        return received.length
      })
      .toBe(2)
    await work()
  })

  it.skipIf(engine === 'embedded')('are delivered once by two nodes', async () => {
    const second = await openComposedHub(clone.settings)
    await subscribe()
    await subscribe()
    for (let count = 0; count < 5; count += 1) {
      await write([record(`T${String(count)}`)])
      second.moveClock(1000)
      for (let times = 0; times < 5; times += 1) {
        hub.tick(1000)
        second.tick(1000)
      }
      await work(hub, second)
    }
    await second.close()
    expect(received).toHaveLength(10)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(10)
  })
})
