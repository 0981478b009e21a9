import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { describeOn, describeOnEngines } from '../fixtures/databases.ts'
import { isSignedWith, openWebhookHub, record } from '../fixtures/webhook-hub.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

describeOnEngines('Notifications that were not accepted', (engine) => {
  let on: Awaited<ReturnType<typeof openWebhookHub>>

  beforeAll(async () => {
    on = await openWebhookHub(engine)
  })
  afterAll(() => on.close())
  beforeEach(() => on.reset())

  /** Sends the first notification about a new record to the receiver. */
  const notify = async (id: string, status: number) => {
    const created = await on.subscribe()
    on.receiver.response.status = status
    await on.write([record(id)])
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
    return created
  }
  const repeats = () => [on.receiver.ids().length, new Set(on.receiver.ids()).size]

  it('are retried with the same id after growing delays, and fail after three days', async () => {
    const { secret } = await notify('R', 500)
    expect(await on.list()).toMatchObject([
      {
        state: 'active',
        attempts: 1,
        lastStatus: 500,
        lastError: 'The receiver responded with 500.',
      },
    ])
    const waits = [
      5 * second,
      5 * minute,
      30 * minute,
      ...[2, 5, 10, 14, 20, 20].map((one) => one * hour),
    ]
    const { received } = on.receiver
    for (const [index, wait] of waits.entries()) {
      on.hub().moveClock(wait - second)
      await on.work()
      expect(received).toHaveLength(index + 1)
      on.hub().moveClock(second + 1)
      await on.work()
      expect(received).toHaveLength(index + 2)
    }
    expect(repeats()).toEqual([10, 1])
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(received.every((one) => isSignedWith(secret, one))).toBe(true)
    expect(await on.list()).toMatchObject([{ state: 'failed', attempts: 10, nextAttempt: null }])
    await on.write([record('R2')])
    await on.work()
    expect(received).toHaveLength(10)
  })

  it('are accepted at a later attempt, and followed by others', async () => {
    await notify('L1', 503)
    on.receiver.response.status = 200
    on.hub().moveClock(6 * second)
    await on.work()
    expect(await on.list()).toMatchObject([{ attempts: 0, lastStatus: 200, lastError: null }])
    await on.write([record('L2')])
    await on.work()
    expect(repeats()).toEqual([3, 2])
  })

  it('end the subscription if the receiver returns 410', async () => {
    await notify('E1', 410)
    await on.write([record('E2')])
    on.hub().moveClock(hour)
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
    expect(await on.list()).toMatchObject([{ state: 'ended', lastStatus: 410, nextAttempt: null }])
  })

  it('do not follow redirects', async () => {
    await notify('MOVED', 302)
    expect(await on.list()).toMatchObject([{ attempts: 1, lastStatus: 302 }])
  })

  it('report that the connection failed', async () => {
    await on.subscribe({ url: 'http://127.0.0.1:9/hook' })
    await on.write([record('N')])
    await on.work()
    expect(await on.list()).toMatchObject([
      { attempts: 1, lastStatus: null, lastError: 'The connection to the receiver failed.' },
    ])
  })

  it('do not delay other subscribers', async () => {
    await on.subscribe({ url: 'http://127.0.0.1:9/hook' })
    on.hub().moveClock(second)
    await notify('OTHER', 204)
    expect((await on.list()).map(({ attempts }) => attempts)).toEqual([1, 0])
  })

  it('are retried after a restart of the hub, even if it then encrypts the keys', async () => {
    const { secret } = await notify('RESTART', 500)
    await on.restart({ HUB_KEY: Buffer.alloc(32, 7).toString('base64') })
    const [stored] = await on
      .hub()
      .store.database.texts(sql`select secret from change_subscription`)
    expect(stored?.[0]).toMatch(/^sealed:/)
    on.receiver.response.status = 204
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
    on.hub().moveClock(6 * second)
    await on.work()
    expect(repeats()).toEqual([2, 1])
    expect(on.receiver.received.every((one) => isSignedWith(secret, one))).toBe(true)
    expect(await on.list()).toMatchObject([{ attempts: 0, state: 'active' }])
  })

  it('are not counted as attempts if the hub stops while sending', async () => {
    const { secret } = await on.subscribe()
    on.receiver.response.after = Promise.withResolvers().promise
    await on.write([record('STOP')])
    on.hub().tick(second)
    await expect.poll(() => on.receiver.received.length).toBe(1)
    await on.restart()
    on.receiver.response.after = Promise.resolve()
    expect(await on.list()).toMatchObject([{ attempts: 0, lastError: null }])
    on.hub().moveClock(second)
    await on.work()
    expect(repeats()).toEqual([2, 1])
    expect(isSignedWith(secret, on.receiver.received[1])).toBe(true)
  })

  it('are sent again after a node is killed, once its lease has expired', async () => {
    await notify('KILLED', 500)
    on.receiver.response.status = 204
    const now = on.hub().now()
    // The state that a node leaves behind if it is killed while sending.
    await on.hub().store.database.execute(sql`
      update change_subscription set lease = gen_random_uuid(), leased = ${now}, next_attempt = ${now}`)
    on.hub().moveClock(minute)
    on.hub().tick(second)
    await pause(200)
    expect(on.receiver.received).toHaveLength(1)
    on.hub().moveClock(2 * minute)
    await on.work()
    await on.work()
    expect(repeats()).toEqual([2, 1])
  })
})

describeOn('postgresql', 'Two nodes', () => {
  it('deliver each notification once', async () => {
    const on = await openWebhookHub('postgresql')
    const other = await on.openNode()
    await on.subscribe()
    await on.subscribe()
    for (const id of ['T0', 'T1', 'T2', 'T3', 'T4']) {
      await on.write([record(id)])
      other.moveClock(second)
      for (let times = 0; times < 5; times += 1) {
        on.hub().tick(second)
        other.tick(second)
      }
      await on.work(other)
    }
    const ids = on.receiver.ids()
    await other.close()
    await on.close()
    expect([ids.length, new Set(ids).size]).toEqual([10, 10])
  })
})
