import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openCounters } from '../../src/quota/index.ts'
import type { Counters } from '../../src/quota/index.ts'
import { describeWithRedis } from '../fixtures/describe-with-redis.ts'
import { startRedis } from '../fixtures/redis-server.ts'
import type { RedisServer } from '../fixtures/redis-server.ts'

const every = (milliseconds: number, work: () => void) => {
  const timer = setInterval(work, milliseconds)
  return () => {
    clearInterval(timer)
  }
}

/** Opens the counters of one node, and records what they log. */
async function openNode(redisUrl: string | undefined) {
  const logged: string[] = []
  const log = {
    info: (text: string) => logged.push(`info: ${text}`),
    warn: (_details: object, text: string) => logged.push(`warn: ${text}`),
  }
  return { ...(await openCounters({ redisUrl, every, log })), logged }
}

type Node = Awaited<ReturnType<typeof openNode>>

/**
 * Counts a key many times at once, on each node in turn. @returns the largest count returned, and
 * the number of different counts
 */
async function takeAtOnce(nodes: readonly Counters[], key: string, times: number) {
  const turns = Array.from({ length: times }, (_, at) =>
    nodes.slice(at % nodes.length, (at % nodes.length) + 1),
  ).flat()
  const told = await Promise.all(turns.map(async (node) => (await node.take(key)).used))
  return { most: Math.max(...told), different: new Set(told).size }
}

setFlagsFromString('--expose-gc')
const collectGarbage: unknown = runInNewContext('gc')

function collect(): void {
  if (typeof collectGarbage === 'function') collectGarbage()
}

const oneTo = (end: number) => ({ most: end, different: end })

describe('Counters in memory', () => {
  it('return different numbers to a thousand concurrent requests', async () => {
    const { counters } = await openNode(undefined)
    expect(await takeAtOnce([counters], 'key', 1000)).toEqual(oneTo(1000))
    expect(await counters.look('key')).toMatchObject({ used: 1000 })
    expect(await counters.look('other')).toEqual({ used: 0, left: 0 })
  })

  it('start again at one after a second', async () => {
    const { counters } = await openNode(undefined)
    const { left } = await counters.take('key')
    expect(left).toBeGreaterThan(900)
    await pause(1050)
    expect(await counters.look('key')).toEqual({ used: 0, left: 0 })
    expect(await counters.take('key')).toMatchObject({ used: 1 })
  })

  it('free the memory of a million keys', { timeout: 60_000 }, async () => {
    const { counters } = await openNode(undefined)
    const load = async (from: number) => {
      for (let batch = 0; batch < 50; batch++) {
        for (let one = 0; one < 10_000; one++) {
          void counters.take(`/v1/Accommodation/${String(from + batch * 10_000 + one)}`)
        }
        await pause(20)
      }
      await pause(1200)
      collect()
      return process.memoryUsage().heapUsed
    }
    const half = await load(0)
    const whole = await load(500_000)
    // A counter needs some 400 bytes, so keeping them would show as 200 MB.
    expect(whole - half).toBeLessThan(5e6)
  })
})

describeWithRedis('Counters in Redis', () => {
  let redis: RedisServer
  let nodes: readonly Node[] = []
  beforeAll(async () => {
    redis = await startRedis()
    nodes = await Promise.all([redis.url, redis.url, redis.url].map(openNode))
    await untilShared()
  })
  afterAll(async () => {
    for (const { close } of nodes) close()
    await redis.stop()
  })
  afterEach(async () => {
    for (const { logged } of nodes) logged.length = 0
    await redis.tell('FLUSHALL')
  })

  const counters = () => nodes.map((node) => node.counters)
  const untilShared = () => vi.waitUntil(() => nodes.every((node) => node.isWhole()), 10_000)
  const untilAlone = () => vi.waitUntil(() => nodes.every((node) => !node.isWhole()), 10_000)

  it('return different numbers to a thousand concurrent requests on three nodes', async () => {
    expect(await takeAtOnce(counters(), 'key', 1000)).toEqual(oneTo(1000))
    for (const one of counters()) expect(await one.look('key')).toMatchObject({ used: 1000 })
    expect(await counters()[0]?.look('other')).toEqual({ used: 0, left: 0 })
  })

  it('start again at one after a second, for all nodes', async () => {
    const { left = 0 } = (await counters()[0]?.take('key')) ?? {}
    expect(left).toBeGreaterThan(900)
    expect(await counters()[1]?.take('key')).toMatchObject({ used: 2 })
    await pause(1050)
    expect(await counters()[2]?.take('key')).toMatchObject({ used: 1 })
    await pause(1050)
    await expect.poll(() => redis.tell('DBSIZE')).toBe(':0\r\n')
  })

  it('count on each node separately while Redis is down, which is logged once', async () => {
    await redis.halt()
    await untilAlone()
    expect(await takeAtOnce(counters(), 'alone', 300)).toEqual(oneTo(100))
    for (const { logged } of nodes) expect(logged).toEqual([expect.stringMatching(/^warn: Redis/)])
    await redis.resume()
    await untilShared()
    expect(await takeAtOnce(counters(), 'other', 300)).toEqual(oneTo(300))
    for (const { logged } of nodes) expect(logged).toHaveLength(2)
  })

  it('do not delay requests while Redis hangs', async () => {
    redis.freeze()
    try {
      const begin = performance.now()
      await takeAtOnce(counters(), 'hanging', 300)
      expect(performance.now() - begin).toBeLessThan(1000)
      await untilAlone()
      const next = performance.now()
      expect(await takeAtOnce(counters(), 'given up', 3000)).toEqual(oneTo(1000))
      // Waiting for Redis would take half a second.
      expect(performance.now() - next).toBeLessThan(400)
      for (const { logged } of nodes) expect(logged).toHaveLength(1)
    } finally {
      redis.thaw()
    }
    await untilShared()
    expect(await takeAtOnce(counters(), 'third', 300)).toEqual(oneTo(300))
  })

  it('count on each node separately while Redis refuses writes, then together again', async () => {
    await redis.tell('CONFIG SET maxmemory 1')
    expect(await takeAtOnce(counters(), 'refused', 300)).toEqual(oneTo(100))
    await untilAlone()
    for (const { logged } of nodes) expect(logged).toHaveLength(1)
    await redis.tell('CONFIG SET maxmemory 0')
    await pause(1200)
    await takeAtOnce(counters(), 'other', 3)
    await untilShared()
  })

  it('continue to work after Redis loses their script', async () => {
    await redis.tell('SCRIPT FLUSH')
    expect(await takeAtOnce(counters(), 'key', 300)).toEqual(oneTo(300))
    for (const { logged } of nodes) expect(logged).toEqual([])
  })

  it('count even if Redis is unavailable from the start', async () => {
    const alone = await openNode('redis://127.0.0.1:1')
    try {
      expect(await takeAtOnce([alone.counters], 'key', 10)).toEqual(oneTo(10))
      await expect.poll(() => alone.logged).toHaveLength(1)
      expect(alone.isWhole()).toBe(false)
    } finally {
      alone.close()
    }
  })
})
