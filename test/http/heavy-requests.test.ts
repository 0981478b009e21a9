import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, toNaming } from '../../src/content/index.ts'
import { openCounters } from '../../src/quota/index.ts'
import type { Counters } from '../../src/quota/index.ts'
import { staRoutes } from '../../src/sta/index.ts'
import { timeseriesRoutes } from '../../src/timeseries/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { silentLog } from '../fixtures/silent-log.ts'
import { createTestAppWith, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const long = `or(${Array.from({ length: 60 }, (_, n) => `eq(Shortname,'n${String(n)}')`).join()})`
const years = '1996-01-01/2026-01-01'

describeWithDatabase('Expensive requests', (database) => {
  let app: FastifyInstance
  let weights: number[] = []
  beforeAll(async () => {
    const every = () => () => undefined
    const { counters } = await openCounters({ redisUrl: undefined, every, log: silentLog })
    const noting: Counters = {
      ...counters,
      take: (key, weight = 1) => {
        weights.push(weight)
        return counters.take(key, weight)
      },
    }
    const now = () => new Date('2026-11-20T12:00:00Z')
    const reads = { database: database(), publicUrl, visibilityOf, now }
    app = await createTestAppWith(
      { quota: noting, metrics: new Registry(), quotaPerAddress: 100_000 },
      contentRoutes({ ...reads, entities: entitiesOf(toNaming('Hub')) }),
      timeseriesRoutes(reads),
      staRoutes(reads),
    )
  })
  afterAll(() => app.close())

  it.each([
    ['/v1/Accommodation?near=*', 5],
    ['/v1/Accommodation?explain=true', 5],
    [`/v1/Accommodation?rawfilter=${long}`, 5],
    ["/v1/Accommodation?rawfilter=eq(Shortname,'n1')", 1],
    ['/v1/Accommodation?searchfilter=hotel&seed=1', 1],
    [`/v2/flat/*/*/${years}?bucket=1y`, 5],
    [`/v2/flat/*/*/${years}?where=mvalue.gt.5`, 5],
    [`/v2/flat/*/*/${years}?select=mvalue`, 1],
    ['/v2/flat/*/*/2026-01-01/2026-06-01?bucket=1d', 1],
    ['/v2/flat/*/*/latest?where=mvalue.gt.5', 1],
    ['/sta/v1.1/Observations?$orderby=phenomenonTime%20desc', 1],
    ['/sta/v1.1/Observations?$filter=phenomenonTime%20gt%202026-01-01', 5],
    ['/sta/v1.1/Observations?$count=true', 5],
    ['/sta/v1.1/Things?$filter=Datastreams/Observations/result%20gt%205', 5],
    ['/sta/v1.1/Datastreams?$expand=Observations($orderby=resultTime;$top=1)', 1],
    ['/sta/v1.1/Datastreams?$expand=Observations($filter=result%20gt%205)', 5],
  ])('to %s count as %i', async (url, weight) => {
    weights = []
    const { statusCode, body } = await app.inject({ url, headers: { referer: `app ${url}` } })
    expect(statusCode, body).toBe(200)
    // Counted twice: for the caller, and for the IP address.
    expect(weights.reduce((sum, one) => sum + one)).toBe(2 * weight)
  })

  it('are refused once their weight has exhausted the quota of the caller', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      statuses.push((await app.inject('/v1/Event?near=*')).statusCode)
    }
    expect(statuses).toEqual([200, 200, 429])
  })
})
