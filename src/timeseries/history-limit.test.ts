import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { historyLimitOf } from '../quota/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { timeseriesRoutes } from './routes.ts'

const nothing = { query: () => Promise.resolve([]), texts: () => Promise.resolve([]) }
const queryable: Queryable = { ...nothing, execute: () => Promise.resolve(0) }
const refuse = () => Promise.reject(new Error('Only reads are expected'))
const database: Database = {
  ...queryable,
  engine: 'postgresql',
  read: queryable,
  heavy: () => queryable,
  transaction: refuse,
  ping: refuse,
  close: refuse,
}

describe('The history limit', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    const now = () => new Date('2026-11-20T12:00:00Z')
    app = await createTestApp(
      timeseriesRoutes({ database, publicUrl, visibilityOf, now, historyLimitOf }),
    )
  })
  afterAll(() => app.close())

  const statusOf = async (url: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url, headers })).statusCode
  const history = (to: string, from = '2001-01-01') => `/v2/flat/P/free/${from}/${to}`

  it('returns 429 in the format of the interface, without Retry-After', async () => {
    const answer = await app.inject(history('2001-01-07'))
    const { statusCode, headers } = answer
    expect(statusCode).toBe(429)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers).not.toHaveProperty('retry-after')
    const { message, ...rest } = answer.json<Record<string, unknown>>()
    expect(message).toContain('5 days')
    expect(rest).toEqual({
      hint: `${publicUrl}/docs/errors/HUB-QTA-001`,
      policy: 'Unregistered, no referrer',
    })
    expect(await statusOf('/docs/errors/HUB-QTA-001')).toBe(200)
  })

  it('applies to the length of the range, to the millisecond, not to its age', async () => {
    expect(await statusOf(history('2001-01-06'))).toBe(200)
    expect(await statusOf(history('2001-01-06T00:00:00.001'))).toBe(429)
    expect(await statusOf(history('2001-01-06T02:00:00+0200'))).toBe(200)
    expect(await statusOf(`/v2/tree/P/free/2001-01-01/2001-01-07`)).toBe(429)
  })

  it.each([
    ['a Referer', '2001-04-11', '2001-04-12', { referer: 'https://app.test' }],
    ['a token', '2003-09-28', '2003-09-29', { authorization: 'Bearer provider' }],
    ['a token that does not count', '2001-01-06', '2001-01-07', { authorization: 'Bearer bad' }],
  ])('depends on the caller: with %s', async (_, within, beyond, headers) => {
    expect(await statusOf(history(within), headers)).toBe(200)
    expect(await statusOf(history(beyond), headers)).toBe(429)
  })

  it('accepts the parameter referer instead of the header', async () => {
    expect(await statusOf(`${history('2001-04-11')}?referer=app`)).toBe(200)
  })

  it('applies only to values of stations', async () => {
    expect(await statusOf('/v2/flat/P/metadata/2001-01-01/2026-01-01')).toBe(200)
    expect(await statusOf('/v2/flat,event/R/2001-01-01/2026-01-01')).toBe(200)
    expect(await statusOf('/v2/flat/P/free/latest')).toBe(200)
  })

  it('is checked after times and before expressions', async () => {
    expect(await statusOf(history('2001-02-31'))).toBe(400)
    expect(await statusOf(`${history('2001-02-01')}?where=nonsense`)).toBe(429)
  })
})
