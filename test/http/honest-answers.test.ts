import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, toNaming } from '../../src/content/index.ts'
import { openCounters } from '../../src/quota/index.ts'
import { storeDataTypes, timeseriesRoutes } from '../../src/timeseries/index.ts'
import { storeMeasurements, storeStations } from '../../src/timeseries/index.ts'
import { storeContent } from '../fixtures/content-app.ts'
import { complaints } from '../fixtures/complaints.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { silentLog } from '../fixtures/silent-log.ts'
import { createTestAppWith, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const received = new Date('2026-11-20T12:00:00Z')

describeWithDatabase('What users complain about elsewhere', (database) => {
  let app: FastifyInstance
  let callers = 0
  beforeAll(async () => {
    const every = () => () => undefined
    const { counters } = await openCounters({ redisUrl: undefined, every, log: silentLog })
    const basis = { database: database(), publicUrl, visibilityOf, now: () => received }
    const historyLimitOf = () => ({ policy: 'Unregistered, no referrer', days: 5 })
    app = await createTestAppWith(
      { quota: counters },
      contentRoutes({ ...basis, entities }),
      timeseriesRoutes({ ...basis, historyLimitOf }),
    )
    await storeContent(database(), 'Event', [
      { Id: 'A', Source: 'first', _Meta: { Source: 'first' } },
      { Id: 'B', Source: 'first', _Meta: { Source: 'first' } },
      { Id: 'C', Source: 'second', _Meta: { Source: 'second' } },
      { Id: 'D', Source: 'second', LicenseInfo: { ClosedData: true } },
    ])
    await database().transaction(async (tx) => {
      await storeStations(tx, { stationType: 'Parking', received, items: [{ code: 'a' }] })
      await storeDataTypes(tx, { received, items: [{ name: 'free' }] })
      const items = [['a', 'free', '2026-11-20T10:00:00Z', 7] as const]
      await storeMeasurements(tx, { stationType: 'Parking', period: 60, received, items })
    })
  })
  afterAll(() => app.close())

  it('2.9: a refusal does not state when to retry', async () => {
    const ask = () => app.inject({ url: '/v1/Event', remoteAddress: '10.1.0.1' })
    const answers = await Promise.all(Array.from({ length: 25 }, ask))
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect(refused?.headers).toMatchObject({
      'retry-after': '1',
      'x-rate-limit-remaining': '0',
      'access-control-allow-origin': '*',
    })
    expect(refused?.json()).toMatchObject({ retryAfter: 1, policy: expect.any(String) })
  })

  it.each(complaints)('$theme: $complaint', async ({ url, headers, status, told = {}, body }) => {
    // Each case has its own IP address, so that no quota is used up.
    const remoteAddress = `10.0.0.${String((callers += 1))}`
    const answer = await app.inject({
      ...{ url: encodeURI(url), remoteAddress },
      ...(headers && { headers }),
    })
    expect([answer.statusCode, answer.body]).toEqual([status, answer.body])
    expect(answer.headers).toMatchObject(told)
    if (body !== undefined) expect(answer.json()).toMatchObject(body)
    expect(answer.body).not.toMatch(/select |postgres|SQLSTATE|pg_|ST_[A-Z]|\.ts:\d/i)
  })
})
