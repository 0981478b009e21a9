import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeOnEngines } from '../fixtures/databases.ts'
import {
  isSignedWith,
  openWebhookHub,
  record,
  subscriber,
  subscriptions,
  tokenOf,
} from '../fixtures/webhook-hub.ts'

const other = ['ChangeSubscriber', 'Other']

describeOnEngines('Subscriptions to change feeds', (engine) => {
  let on: Awaited<ReturnType<typeof openWebhookHub>>

  beforeAll(async () => {
    on = await openWebhookHub(engine)
  })
  afterAll(() => on.close())
  beforeEach(() => on.reset())

  it('accept a key of the subscriber, and refuse an invalid one', async () => {
    const secret = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`
    expect((await on.subscribe({ secret })).secret).toBe(secret)
    await on.write([record('K')])
    await on.work()
    expect(on.receiver.received.map((one) => isSignedWith(secret, one))).toEqual([true])
    for (const wrong of [
      'whsec_c2hvcnQ=',
      'a plain word',
      `${secret}!`,
      `whsec_${'A'.repeat(92)}`,
    ]) {
      const refused = await on.post({ url: on.receiver.url, secret: wrong })
      expect(refused.json()).toMatchObject({ status: 400, errorCode: 'HUB-BDY-001' })
      expect(refused.body).not.toContain(wrong)
    }
  })

  it.each([
    ...[{}, [], 'text', null, { url: 7 }, { url: '' }, { url: 'https://a.example/', more: 1 }],
    { url: `http://127.0.0.1/${'a'.repeat(2000)}` },
  ])('refuse the body %j', async (payload) => {
    const refused = await on.hub().ask({
      ...{ method: 'POST', url: subscriptions, payload: JSON.stringify(payload) },
      headers: { ...(await tokenOf()), 'content-type': 'application/json' },
    })
    expect(refused.json()).toMatchObject({ status: 400, errorCode: 'HUB-BDY-001' })
  })

  it('refuse a large body, and other media types', async () => {
    const send = async (type: string, payload: string) => {
      const headers = { ...(await tokenOf()), 'content-type': type }
      return (await on.hub().ask({ method: 'POST', url: subscriptions, headers, payload }))
        .statusCode
    }
    expect(await send('application/json', JSON.stringify('a'.repeat(9000)))).toBe(413)
    expect(await send('text/plain', 'https://a.example/')).toBe(415)
  })

  it.each([
    'ftp://example.org/',
    'not a url',
    'http://10.0.0.1/',
    'https://192.168.0.1/',
    'https://user:word@example.org/',
  ])('refuse the URL %s', async (url) => {
    const refused = await on.post({ url })
    expect(refused.json()).toMatchObject({ status: 400, errorCode: 'HUB-CHG-003' })
  })

  it('require the role, and a feed that exists', async () => {
    const payload = { url: on.receiver.url }
    const open = await on.hub().ask({ method: 'POST', url: subscriptions, payload })
    expect(open.json()).toMatchObject({ status: 401, errorCode: 'HUB-ACC-001' })
    const without = await on.post(payload, ['Event_Create'])
    expect(without.json()).toMatchObject({ status: 403, errorCode: 'HUB-ACC-003' })
    const [headers, url] = [await tokenOf(), '/changes/Nothing/subscriptions']
    for (const method of ['POST', 'GET'] as const) {
      const body = method === 'POST' ? { payload } : {}
      const unknown = await on.hub().ask({ method, url, headers, ...body })
      expect(unknown.json()).toMatchObject({ status: 404, errorCode: 'HUB-RTE-003' })
    }
    expect((await on.hub().ask({ url: subscriptions })).statusCode).toBe(401)
  })

  it('are shown to and deleted by their owner and ADMIN only', async () => {
    const { id } = await on.subscribe()
    const as = async (method: 'GET' | 'DELETE', roles: readonly string[], feed = 'Event') => {
      const url = `/changes/${feed}/subscriptions/${id}`
      const answer = await on.hub().ask({ method, url, headers: await tokenOf(roles) })
      if (answer.statusCode === 204) expect(answer.body).toBe('')
      return answer.statusCode
    }
    expect([await on.list(other), (await on.list(['ADMIN'])).length]).toEqual([[], 1])
    expect([await as('GET', other), await as('DELETE', other)]).toEqual([404, 404])
    expect([await as('GET', subscriber), await as('GET', ['ADMIN'])]).toEqual([200, 200])
    expect(await as('GET', subscriber, 'Tag')).toBe(404)
    expect([await as('DELETE', subscriber), await as('DELETE', subscriber)]).toEqual([204, 404])
    await on.write([record('AFTER')])
    await on.work()
    expect(on.receiver.received).toEqual([])
  })

  it('have a URL, which does not show the key', async () => {
    const created = await on.post({ url: on.receiver.url })
    const { id, secret } = created.json<{ id: string; secret: string }>()
    expect(created.headers).toMatchObject({
      location: `http://hub.test${subscriptions}/${id}`,
      'cache-control': 'no-store',
    })
    const url = new URL(String(created.headers.location)).pathname
    const shown = await on.hub().ask({ url, headers: await tokenOf() })
    expect(shown.json()).toMatchObject({ id, feed: 'Event', url: on.receiver.url, state: 'active' })
    expect(shown.body).not.toContain(secret)
    expect(
      (await on.hub().ask({ url: `${subscriptions}/x`, headers: await tokenOf() })).statusCode,
    ).toBe(404)
  })

  it('are limited for each caller, even with concurrent requests', async () => {
    const created = await Promise.all(
      Array.from({ length: 22 }, () => on.post({ url: on.receiver.url })),
    )
    const refused = created.filter(({ statusCode }) => statusCode !== 201)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.json()).toMatchObject({ status: 409, errorCode: 'HUB-CHG-004' })
    await on.subscribe({}, other)
  })
})
