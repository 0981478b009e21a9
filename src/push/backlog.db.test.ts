import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { Backlog, pushMetrics } from './backlog.ts'

describeWithDatabase('Free space for pushed messages', (database) => {
  it('excludes messages being stored, or stored since the disk was measured', async () => {
    const free = 2000
    const backlog = new Backlog({
      database: database(),
      now: () => new Date(),
      limit: 10,
      freeBytes: () => Promise.resolve(free),
      reserve: 1000,
    })
    await backlog.measure()
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = backlog.store(400, () => promise)
    expect(backlog.obstacle()).toBeUndefined()
    const second = backlog.store(200, () => promise)
    expect(backlog.obstacle()).toMatchObject({ code: 'HUB-SRV-006' })
    // The sender of this one started while there was room, but by now there is none.
    const third = backlog.store(1, () => Promise.resolve('stored'))
    await expect(third).rejects.toMatchObject({ code: 'HUB-SRV-006' })
    resolve('stored')
    expect([await first, await second]).toEqual(['stored', 'stored'])
    expect(backlog.obstacle()).toMatchObject({ code: 'HUB-SRV-006' })
    await backlog.measure()
    expect(backlog.obstacle()).toBeUndefined()
  })
})

describeWithDatabase('Metrics of pushed messages', (database) => {
  it('count the items of a waiting message once, when it is settled', async () => {
    const now = () => new Date()
    const room = { limit: 10, freeBytes: undefined, reserve: 0 }
    const registry = new Registry()
    const metrics = pushMetrics(registry, new Backlog({ database: database(), now, ...room }), now)
    const attempt = { id: 'm', stream: 'a/b', stored: 1, rejected: 1, seconds: 1 }
    metrics.settled({ ...attempt, state: 'waiting' })
    metrics.settled({ ...attempt, state: 'visible', stored: 2, rejected: 0 })
    const text = await registry.metrics()
    expect(text).toContain('hub_push_stored_items_total{stream="a/b"} 2')
    expect(text).toContain('hub_push_rejected_items_total{stream="a/b"} 0')
    expect(text).toContain('hub_push_settled_total{stream="a/b",state="waiting"} 1')
  })
})
