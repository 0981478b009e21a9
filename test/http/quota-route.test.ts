import { describe, expect, it } from 'vitest'
import { quotaRoutes } from '../../src/quota/index.ts'
import { application, quotaTestRoutes, token, useQuotaApp } from '../fixtures/quota-app.ts'
import { createTestAppWith } from '../fixtures/test-app.ts'

describe('GET /quota', () => {
  const { ask, answered } = useQuotaApp()
  const quota = async (query = '', headers: Record<string, string> = {}) =>
    (await ask(`/quota${query}`, { headers })).json<Record<string, unknown>>()

  it('returns the quota of the caller, and the reason', async () => {
    expect(await quota()).toMatchObject({
      isEnforced: true,
      policy: 'Unregistered, no referrer',
      requests: 10,
      window: 1,
      remaining: 10,
      historyDays: 5,
      countedPer: ['address', 'path'],
      reason: expect.stringContaining('There is no token'),
      caller: { address: '127.0.0.1', referer: null, user: null },
    })
    expect(await quota('', application)).toMatchObject({ requests: 20, historyDays: 100 })
    expect(await quota('?referer=me', application)).toMatchObject({ caller: { referer: 'me' } })
    expect(await quota('', token('bad'))).toMatchObject({
      requests: 10,
      reason: expect.stringContaining('The token has expired'),
    })
    expect(await quota('', token('premium'))).toMatchObject({
      ...{ policy: 'Premium', requests: 200, historyDays: null },
      caller: { user: 'premium' },
    })
    expect(await quota('', token('unlimited'))).toMatchObject({ requests: null, remaining: null })
    expect((await quota())['policies']).toHaveLength(6)
  })

  it('returns the remaining requests for a path, without counting', async () => {
    await answered('/v1/things', {}, 4)
    for (let times = 0; times < 3; times++) {
      expect(await quota('?path=/v1/things')).toMatchObject({ remaining: 6, reset: 1 })
    }
    expect(await quota('?path=/v1/things?limit=5')).toMatchObject({ remaining: 6 })
    expect(await quota('?path=/v1/other')).toMatchObject({ remaining: 10, reset: 0 })
    await answered('/v1/things', {}, 20)
    expect(await quota('?path=/v1/things')).toMatchObject({ remaining: 0 })
  })

  it.each([
    ...['/v2', '/changes', '/changes/content', '/exports', '/gbfs/3.0/gbfs', '/sta/v1.1?$top=1'],
    ...['/traffic/datex/3/parking', '/sitemap.xml', '/alerts', '/quality'],
  ])('accepts every counted path, such as %s', async (path) => {
    expect(await quota(`?path=${path}`)).toMatchObject({ remaining: 10 })
  })

  it('is not cached, and reports uncounted paths and unknown parameters', async () => {
    const { headers } = await ask('/quota')
    expect(headers['cache-control']).toBe('no-store')
    const strict = await ask('/quota?pth=/v1', { headers: { prefer: 'handling=strict' } })
    expect(strict.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-003' })
    expect((await ask('/quota?pth=/v1')).headers['x-ignored-parameters']).toBe('pth')
    for (const path of [
      '/push/a',
      'x',
      '/v3',
      '/v11',
      '/traffic/datex/2',
      '/quota',
      'http://hub.test/v1',
    ]) {
      const wrong = await ask(`/quota?path=${path}`)
      expect(wrong.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-001' })
    }
  })

  it('reports that quotas are turned off', async () => {
    const off = await createTestAppWith({}, quotaTestRoutes, quotaRoutes({}))
    expect((await off.inject('/quota')).json()).toMatchObject({ isEnforced: false })
    const { headers } = await off.inject('/v1/things')
    expect(headers).not.toHaveProperty('x-rate-limit-policy')
    await off.close()
  })
})
