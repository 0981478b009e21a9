import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { application, token, useQuotaApp } from '../fixtures/quota-app.ts'
import { publicUrl } from '../fixtures/test-app.ts'

describe('Request quotas', () => {
  const { app, ask, statusesOf, answered, metrics } = useQuotaApp()

  it.each([
    ['nobody in particular', {}, 10, 'Unregistered, no referrer'],
    ['an application', application, 20, 'Unregistered, with referrer'],
    ['a token that does not count', token('bad'), 10, 'Unregistered, no referrer'],
    ['a token', token('provider'), 50, 'Basic'],
    ['HUB_ROLE_ADVANCED', token('advanced'), 100, 'Advanced'],
    ['HUB_ROLE_PREMIUM', token('premium'), 200, 'Premium'],
  ])('of %s are exact with 1,000 concurrent requests', async (_, headers, limit, policy) => {
    const began = performance.now()
    const { 200: done = [], 429: refused = [] } = await statusesOf(1000, '/v1/things', { headers })
    // On a slow machine the requests extend into a second window.
    const windows = Math.ceil((performance.now() - began) / 1000)
    expect(done.length + refused.length).toBe(1000)
    expect(done.length).toBeGreaterThanOrEqual(limit)
    expect(done.length).toBeLessThanOrEqual(limit * windows)
    expect(done[0]?.headers).toMatchObject({
      'ratelimit-policy': `"${policy}";q=${String(limit)};w=1`,
      ratelimit: `"${policy}";r=${String(limit - 1)};t=1`,
      'x-rate-limit-policy': policy,
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(limit - 1),
      'x-rate-limit-reset': '1',
    })
    expect(done[0]?.headers).not.toHaveProperty('retry-after')
  })

  it('of HUB_ROLE_ADMIN have no limit', async () => {
    expect(await answered('/v1/things', { headers: token('unlimited') }, 300)).toBe(300)
    const { headers } = await ask('/v1/things', { headers: token('unlimited') })
    expect(headers['x-rate-limit-policy']).toBe('No restriction')
    expect(headers).not.toHaveProperty('x-rate-limit-limit')
    expect(headers).not.toHaveProperty('ratelimit')
  })

  it('return 429 in the format of the interface when they are exceeded', async () => {
    const { 429: refused = [] } = await statusesOf(11, '/v1/things')
    expect(refused).toHaveLength(1)
    const [answer] = refused
    expect(answer?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '1',
      'x-rate-limit-remaining': '0',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    })
    expect(answer?.headers['x-request-id']).toBeDefined()
    const { message, ...rest } = answer?.json<Record<string, unknown>>() ?? {}
    expect(message).toMatch(/^You have exhausted your API request quota: 10 requests in a second/)
    expect(rest).toEqual({
      hint: `${publicUrl}/docs/errors/HUB-QTA-002`,
      policy: 'Unregistered, no referrer',
      retryAfter: 1,
    })
    expect((await ask('/docs/errors/HUB-QTA-002')).statusCode).toBe(200)
  })

  it('are renewed after a second', async () => {
    expect(await answered('/v1/things')).toBe(10)
    await pause(1050)
    expect(await answered('/v1/things')).toBe(10)
  })

  it('are counted by policy when they are exceeded', async () => {
    await answered('/v1/things')
    await answered('/v1/things', { headers: application })
    const text = await metrics().metrics()
    const name = 'hub_quota_refused_requests_total'
    expect(text).toContain(`${name}{policy="Unregistered, no referrer"} 15`)
    expect(text).toContain(`${name}{policy="Unregistered, with referrer"} 5`)
  })

  it('are described for the routes where they apply, and for no others', () => {
    const document = app().swagger()
    const { paths = {} } = document
    const exceeded = { $ref: '#/components/responses/QuotaExceeded' }
    const header = { $ref: '#/components/headers/RateLimit' }
    expect(paths['/v1/things']).toMatchObject({
      get: { responses: { 200: { headers: { RateLimit: header } }, 429: exceeded } },
    })
    expect(paths['/v2/{r}/{s}']).toMatchObject({ get: { responses: { 429: exceeded } } })
    expect(JSON.stringify(paths['/push/a/b'])).not.toContain('QuotaExceeded')
    expect(document).toMatchObject({
      components: {
        headers: { 'X-Rate-Limit-Reset': {}, 'Retry-After': {} },
        responses: { QuotaExceeded: { content: { 'application/json': {} } } },
      },
    })
  })
})
