import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { application, token, useQuotaApp } from '../fixtures/quota-app.ts'

describe('Requests', () => {
  const { ask, answered, usedOf } = useQuotaApp()

  it('are counted per path, regardless of the query and the spelling of the path', async () => {
    const spellings = ['/v1/things', '/v1/things?limit=1', '/v1/things/', '/v1/%74hings']
    for (const [at, url] of spellings.entries()) expect(await usedOf(url)).toBe(at + 1)
    expect(await usedOf('/v1/things/a')).toBe(1)
    expect(await usedOf('/v1/things/b')).toBe(1)
  })

  it('for history are counted as one path, regardless of the range', async () => {
    expect(await usedOf('/v2/flat/a/b/2024-01-01/2024-01-02')).toBe(1)
    expect(await usedOf('/v2/flat/a/b/2024-01-02/2024-01-03T10:00:00')).toBe(2)
    expect(await usedOf('/v2/flat/a/c/2024-01-02/2024-01-03')).toBe(1)
  })

  it('are counted regardless of their outcome', async () => {
    const tag = { headers: { 'if-none-match': '"tag"' } }
    expect((await ask('/v1/things', tag)).statusCode).toBe(304)
    expect((await ask('/v1/things?limit=x')).statusCode).toBe(400)
    expect((await ask('/v1/things', { method: 'HEAD' })).statusCode).toBe(200)
    expect((await ask('/v1/things', { method: 'POST' })).statusCode).toBe(201)
    expect(await usedOf('/v1/things')).toBe(5)
    const absent = await ask('/v1/things/a')
    expect([absent.statusCode, absent.headers['x-rate-limit-remaining']]).toEqual([404, '9'])
  })

  it('are not counted on the other paths of the hub', async () => {
    const exempt = ['/push/a/b', '/traffic/v1/x', '/health', '/v10', '/v1things', '/metrics']
    for (const url of [...exempt, '/openapi.json', '/quota', '/docs/errors/HUB-QTA-001']) {
      expect(await answered(url, {}, 30)).toBe(30)
      expect((await ask(url)).headers).not.toHaveProperty('x-rate-limit-limit')
    }
  })

  it('are counted per application by header or parameter, and the parameter wins', async () => {
    const named = { headers: application }
    expect(await usedOf('/v1/things', named)).toBe(1)
    expect(await usedOf('/v1/things?referer=https://app.test')).toBe(2)
    expect(await usedOf('/v1/things?Referer=https%3A%2F%2Fapp.test')).toBe(3)
    expect(await usedOf('/v1/things?referer=https://other.test', named)).toBe(1)
    expect(await usedOf('/v1/things?referer=&limit=1', named)).toBe(4)
    expect(await usedOf('/v1/things?referer=null', named)).toBe(5)
    expect(await usedOf('/v1/things?referer=%20', named)).toBe(6)
    expect(await usedOf('/v1/things')).toBe(1)
  })

  it('for the catalogue are counted', async () => {
    expect(await answered('/catalogue/a', {}, 25)).toBe(10)
    expect(await usedOf('/catalogue/b')).toBe(1)
  })

  const others = ['/gbfs/a', '/traffic/datex/3/a', '/sitemap.xml', '/sitemap-a.xml', '/mappings/a']
  it.each(['/changes/a', '/exports/a', '/ogc/a', '/sta/a', ...others])(
    'for %s are counted',
    async (url) => {
      expect((await ask(url)).headers['x-rate-limit-remaining']).toBe('9')
    },
  )

  it('are counted per user, and per application of a user', async () => {
    expect(await usedOf('/v1/things', { headers: token('provider') })).toBe(1)
    expect(await usedOf('/v1/things', { headers: token('editor') })).toBe(1)
    expect(await usedOf('/v1/things', { headers: { ...token('provider'), ...application } })).toBe(
      1,
    )
    expect(await usedOf('/v1/things', { headers: token('provider') })).toBe(2)
  })

  it('use a forwarded client address from trusted proxies only', async () => {
    const from = (address: string, forwarded?: string): InjectOptions => ({
      remoteAddress: address,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })
    expect(await usedOf('/v1/things', from('192.0.2.1'))).toBe(1)
    expect(await usedOf('/v1/things', from('192.0.2.1', '192.0.2.9'))).toBe(2)
    expect(await usedOf('/v1/things', from('10.1.2.3', '192.0.2.1'))).toBe(3)
    expect(await usedOf('/v1/things', from('10.1.2.3', '192.0.2.2'))).toBe(1)
    expect(await usedOf('/v1/things', from('10.1.2.3', '192.0.2.66, 192.0.2.2, 10.9.9.9'))).toBe(2)
    expect(await usedOf('/v1/things', from('::ffff:192.0.2.1'))).toBe(4)
  })

  it.each([
    ['very long', 'x'.repeat(8000)],
    ['with control characters', '\u0001\u001b[31m\t\u007f'],
    ['with quotes and lines', '","\n\r\n'],
    ['of half characters', '\ud800'],
  ])('are counted with a referer that is %s', async (_, referer) => {
    const url = `/v1/things?referer=${encodeURIComponent(referer.toWellFormed())}`
    const first = await ask(url)
    expect([200, 400]).toContain(first.statusCode)
    expect(first.headers['x-rate-limit-limit']).toBe('20')
    expect(await usedOf(url)).toBe(2)
    expect(await usedOf('/v1/things', { headers: application })).toBe(1)
  })
})

describe('Requests through a proxy that sets Forwarded', () => {
  const { usedOf } = useQuotaApp({ proxyHeader: 'forwarded' })

  it('are counted for the client that it names, and X-Forwarded-For is ignored', async () => {
    const from = (address: string, headers: Record<string, string>): InjectOptions => ({
      remoteAddress: address,
      headers,
    })
    const proxied = from('10.1.2.3', { forwarded: 'for=192.0.2.1' })
    expect(await usedOf('/v1/things', proxied)).toBe(1)
    const both = { forwarded: 'for=192.0.2.1;proto=https', 'x-forwarded-for': '192.0.2.7' }
    expect(await usedOf('/v1/things', from('10.1.2.3', both))).toBe(2)
    expect(await usedOf('/v1/things', from('192.0.2.1', { forwarded: 'for=192.0.2.9' }))).toBe(3)
    expect(await usedOf('/v1/things', from('10.1.2.3', { 'x-forwarded-for': '192.0.2.1' }))).toBe(1)
    const ipv6 = { forwarded: 'for=192.0.2.66, for="[2001:db8::1]:80"' }
    expect(await usedOf('/v1/things', from('10.1.2.3', ipv6))).toBe(1)
    expect(await usedOf('/v1/things', from('2001:db8::1', {}))).toBe(2)
  })
})

describe('Requests from one IP address', () => {
  const { ask } = useQuotaApp({ quotaPerAddress: 15 })

  it('are counted together, for all applications and paths', async () => {
    const from = (remoteAddress: string, application: number) =>
      ask(`/v1/things?referer=${String(application)}`, { remoteAddress })
    const many = await Promise.all(Array.from({ length: 20 }, (_, at) => from('192.0.2.1', at)))
    const refused = many.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.headers['retry-after']).toBe('1')
    expect(refused[0]?.json().message).toContain('Your address')
    const user = { remoteAddress: '192.0.2.1', headers: token('provider') }
    expect((await ask('/v2/flat/a', user)).statusCode).toBe(429)
    expect((await from('192.0.2.2', 1)).statusCode).toBe(200)
  })

  it('are not counted if they are refused for their path', async () => {
    const remoteAddress = '192.0.2.3'
    await Promise.all(Array.from({ length: 30 }, () => ask('/v1/things', { remoteAddress })))
    expect((await ask('/v2/flat/a', { remoteAddress })).statusCode).toBe(200)
  })
})
