import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { timeseriesRoutes } from './routes.ts'

const now = new Date('2026-11-20T12:00:00Z')

const refuse = () => Promise.reject(new Error('A bad request must not reach the database'))
const queryable: Queryable = { query: refuse, texts: refuse, execute: refuse }
const database: Database = {
  ...queryable,
  engine: 'postgresql',
  read: queryable,
  heavy: () => queryable,
  transaction: refuse,
  ping: refuse,
  close: refuse,
}

type Problem = Readonly<Record<string, unknown>>

describe('A bad request to the time series service', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await createTestApp(
      timeseriesRoutes({ database, publicUrl, visibilityOf, now: () => now }),
    )
  })
  afterAll(() => app.close())

  it.each([
    ['/v2/flat/Parking/free/2026-11-21/2026-11-20', 'from'],
    ['/v2/flat/Parking/free/2026-02-31/2026-11-20', 'from'],
    ['/v2/flat/Parking/free/2026-11-20/now', 'to'],
    ['/v2/flat,event/ROADS/soon', 'time'],
    ['/v2/flat/Parking?limit=0', 'limit'],
    ['/v2/flat/Parking?limit=-2', 'limit'],
    ['/v2/flat/Parking?limit=many', 'limit'],
    ['/v2/flat/Parking?offset=-1', 'offset'],
    ['/v2/flat/Parking?shownull=perhaps', 'shownull'],
    ['/v2/flat/Parking?timezone=Nowhere', 'timezone'],
    ['/v2/flat,tree/Parking', 'representation'],
    ['/v2/flat,tree', 'representation'],
  ])('such as %s returns a problem that names %s', async (url, parameter) => {
    const answer = await app.inject(url)
    expect(answer.statusCode).toBe(400)
    const problem = answer.json<Problem>()
    expect(problem).toMatchObject({
      errorCode: 'HUB-QRY-001',
      code: 400,
      error: 'Bad Request',
      timestamp: now.getTime(),
      errors: [{ parameter }],
    })
    expect(problem['message']).toBe(problem['detail'])
    expect(problem['description']).toBeTypeOf('string')
  })

  it.each([
    '/v2/flat/Parking/free/soon',
    '/v2/flat,edge/Link/free',
    '/v2/flat,event/ROADS/2026-01-01/2026-01-02/2026-01-03',
  ])('for a depth that its representation does not have, such as %s, returns 404', async (url) => {
    const answer = await app.inject(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json<Problem>()).toMatchObject({ errorCode: 'HUB-RTE-001', error: 'Not Found' })
  })
})
