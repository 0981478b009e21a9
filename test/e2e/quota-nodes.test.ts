import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'
import { describeWithRedis } from '../fixtures/describe-with-redis.ts'
import { startRedis } from '../fixtures/redis-server.ts'
import type { RedisServer } from '../fixtures/redis-server.ts'

/** Sends many requests for a path at the same time, to each hub in turn. */
async function askAtOnce(hubs: readonly HubProcess[], path: string, options: Options) {
  const began = performance.now()
  const all = Array.from({ length: options.times }, async (_, at) => {
    const { headers } = options
    const response = await fetch(`${hubs[at % hubs.length]?.url ?? ''}${path}`, { headers })
    await response.arrayBuffer()
    const left = Number(response.headers.get('x-rate-limit-remaining'))
    return { status: response.status, left }
  })
  const answers = await Promise.all(all)
  return { answers, seconds: (performance.now() - began) / 1000 }
}

type Options = { readonly times: number; readonly headers: Record<string, string> }

/**
 * Asserts that every number of remaining requests was reported once per window, whichever node
 * reported it. The last window may be incomplete.
 */
function expectExact({ answers, seconds }: Awaited<ReturnType<typeof askAtOnce>>, limit: number) {
  const done = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  expect(done.length + refused.length).toBe(answers.length)
  const told = Array.from(
    { length: limit },
    (_, left) => done.filter((one) => one.left === left).length,
  )
  const [windows = 0] = told.toReversed()
  expect(windows).toBeGreaterThan(0)
  expect(windows).toBeLessThanOrEqual(Math.ceil(seconds))
  expect(told).toEqual(told.toSorted((one, other) => one - other))
  expect(told[0]).toBeGreaterThanOrEqual(windows - 1)
}

const forged = [{ alg: 'none' }, { sub: 'x', realm_access: { roles: ['HUB_ROLE_ADMIN'] } }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

describeOn('postgresql', 'three nodes', () => {
  describeWithRedis('that count requests in one Redis', () => {
    let clone: TestDatabase
    let redis: RedisServer
    let hubs: readonly HubProcess[] = []
    const first = (): HubProcess => {
      const [hub] = hubs
      if (hub === undefined) throw new Error('No hub runs')
      return hub
    }
    beforeAll(async () => {
      redis = await startRedis()
      clone = await cloneDatabase('postgresql')
      const environment = {
        HUB_QUOTA: 'on',
        HUB_REDIS_URL: redis.url,
        HUB_PUBLIC_URL: 'http://hub.test',
        HUB_DATABASE_CONNECTIONS: '3',
      }
      const start = () => startHub({ settings: clone.settings, environment })
      hubs = [await start(), await start(), await start()]
    })
    afterAll(async () => {
      for (const hub of hubs) await stopHub(hub)
      await redis.stop()
      await clone.drop()
    })

    const health = async (hub: HubProcess) => (await fetch(`${hub.url}/health`)).json()

    it('count exactly, together and alone, under 1,000 parallel requests', async () => {
      const nobody = { times: 1000, headers: {} }
      expectExact(await askAtOnce(hubs, '/v1/Tag', nobody), 10)
      expectExact(await askAtOnce([first()], '/v1/Event', nobody), 10)
      const headers = { authorization: `Bearer ${await first().token('demo-provider')}` }
      expectExact(await askAtOnce(hubs, '/v1/Venue', { times: 1000, headers }), 50)
      expectExact(await askAtOnce(hubs, '/v2/flat/*', { times: 300, headers }), 50)
    })

    it('do not trust an unverified token', async () => {
      const headers = { authorization: `Bearer ${forged}.` }
      expectExact(await askAtOnce(hubs, '/v1/HubActivityPoi', { times: 100, headers }), 10)
      const response = await fetch(`${first().url}/quota`, { headers })
      expect(await response.json()).toMatchObject({ policy: 'Unregistered, no referrer' })
    })

    it('count separately while Redis is down, report it, and count together again', async () => {
      // A node that starts slowly may have logged it before.
      const timesSaid = (hub: HubProcess) => hub.output().split('Redis does not count').length - 1
      const before = new Map(hubs.map((hub) => [hub, timesSaid(hub)]))
      await redis.halt()
      const alone = await askAtOnce(hubs, '/v1/Article', { times: 300, headers: {} })
      const done = alone.answers.filter(({ status }) => status === 200)
      expect(done.length).toBeGreaterThanOrEqual(30)
      expect(done.length).toBeLessThanOrEqual(30 * Math.ceil(alone.seconds))
      for (const hub of hubs) {
        expect(await health(hub)).toMatchObject({
          status: 'degraded',
          problems: [{ component: 'quota' }],
        })
        expect(timesSaid(hub) - (before.get(hub) ?? 0)).toBe(1)
      }
      await redis.resume()
      for (const hub of hubs) {
        await expect.poll(() => health(hub)).toMatchObject({ status: 'ok' })
      }
      expectExact(await askAtOnce(hubs, '/v1/Article', { times: 1000, headers: {} }), 10)
    })
  })
})
