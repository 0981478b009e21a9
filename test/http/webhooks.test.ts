import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import {
  isSignedWith,
  offsetOf,
  openWebhookHub,
  record,
  signedHeaders,
  tokenOf,
} from '../fixtures/webhook-hub.ts'

const closed = { LicenseInfo: { ClosedData: true } }

describeOnEngines('Webhooks', (engine) => {
  let on: Awaited<ReturnType<typeof openWebhookHub>>

  beforeAll(async () => {
    on = await openWebhookHub(engine)
  })
  afterAll(() => on.close())
  beforeEach(() => on.reset())

  it('state the feed and its new offset, signed as in Standard Webhooks', async () => {
    const { secret, offset, id, state } = await on.subscribe()
    expect([secret.startsWith('whsec_'), state]).toEqual([true, 'active'])
    await on.work()
    expect(on.receiver.received).toEqual([])
    await on.write([record('A')])
    await on.work()
    const [first, ...others] = on.receiver.received
    expect(others).toEqual([])
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(new Webhook(secret).verify(first?.body ?? '', signedHeaders(first))).toEqual({
      ...{ type: 'changes', feed: 'Event', offset: offsetOf(first) },
    })
    const wrong = `${first?.body ?? ''} `
    expect(() => new Webhook(secret).verify(wrong, signedHeaders(first))).toThrow()
    expect(await on.read(offset)).toEqual(['A'])
    expect(await on.read(offsetOf(first))).toEqual([])
    const [shown] = await on.list()
    expect(shown).toMatchObject({ id, lastStatus: 204, lastError: null, attempts: 0 })
    expect(JSON.stringify(shown)).not.toContain(secret)
  })

  it('are sent once for many changes, and once more for those made meanwhile', async () => {
    await on.subscribe()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    on.receiver.response.after = promise
    for (const id of ['M0', 'M1', 'M2', 'M3']) await on.write([record(id)])
    on.hub().tick(1000)
    const { received } = on.receiver
    await expect.poll(() => received.length).toBe(1)
    for (const id of ['M4', 'M5', 'M6']) {
      await on.write([record(id)])
      on.hub().tick(1000)
    }
    expect(received).toHaveLength(1)
    resolve(undefined)
    await on.work()
    expect(received).toHaveLength(2)
    expect(await on.read(offsetOf(received[0]))).toEqual(['M4', 'M5', 'M6'])
  })

  it('are also sent for deletes', async () => {
    await on.write([record('GONE')])
    await on.subscribe()
    await on.write([], ['GONE'])
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
  })

  it('are sent only to subscribers who may see the change', async () => {
    const { offset } = await on.subscribe()
    const privileged = await on.subscribe({}, ['ChangeSubscriber', 'BDP_VIEW_CLOSED_DATA'])
    await on.write([record('SECRET', closed)])
    await on.write([record('SECRET', { ...closed, Shortname: 'new' })])
    await on.work()
    await on.write([], ['SECRET'])
    await on.work()
    const { received } = on.receiver
    expect(received).toHaveLength(2)
    expect(received.every((one) => isSignedWith(privileged.secret, one))).toBe(true)
    await on.write([record('OPEN')])
    await on.work()
    expect(received).toHaveLength(4)
    expect(await on.read(offset)).toEqual(['OPEN'])
  })

  it('are sent when a record becomes hidden, and when it becomes visible', async () => {
    await on.write([record('TURNS')])
    await on.subscribe()
    await on.write([record('TURNS', closed)])
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
    await on.write([record('TURNS', { ...closed, Shortname: 'unseen' })])
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
    await on.write([record('TURNS', { LicenseInfo: { ClosedData: false } })])
    await on.work()
    expect(on.receiver.received).toHaveLength(2)
  })

  it("are sent when the subscriber's rules change, as the offset becomes invalid", async () => {
    const { offset } = await on.subscribe()
    await on.hub().store.database.execute(sql`
      insert into access_rule (role, area, origin) values ('GUEST', 'content', 'elsewhere')`)
    on.hub().tick(3000)
    on.hub().moveClock(120_000)
    const arrived = async () => {
      await on.work()
      return on.receiver.received.length
    }
    await expect.poll(arrived).toBe(1)
    const old = await on
      .hub()
      .ask({ url: `/changes/Event?offset=${offset}`, headers: await tokenOf() })
    expect(old.json()).toMatchObject({ status: 410, errorCode: 'HUB-CHG-001' })
    expect(await on.read(offsetOf(on.receiver.received[0]))).toEqual([])
    on.hub().moveClock(120_000)
    expect(await arrived()).toBe(1)
  })

  it('are sent when the changes since the last check may have been deleted', async () => {
    await on.subscribe()
    await on.hub().store.database.execute(sql`
      update change_subscription set examined = examined - interval '40 days'`)
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
    await on.work()
    expect(on.receiver.received).toHaveLength(1)
  })

  it('are counted in metrics', async () => {
    await on.subscribe()
    await on.write([record('COUNTED')])
    await on.work()
    on.hub().tick(60_000)
    const metrics = async () => (await on.hub().ask({ url: '/metrics' })).body
    await expect.poll(metrics).toContain('hub_webhook_subscriptions{state="active"} 1')
    expect(await metrics()).toMatch(/hub_webhook_deliveries_total\{outcome="accepted"\} \d/)
    await on.work()
  })
})
