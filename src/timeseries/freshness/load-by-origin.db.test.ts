import { Registry } from 'prom-client'
import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import type { Visibility } from '../../access/index.ts'
import type { MeasurementItem } from '../write/store-values.ts'
import { storeDataTypes, storeMeasurements } from '../write/store-measurements.ts'
import { storeStations } from '../write/store-stations.ts'
import { freshnessMetrics, loadByOrigin } from './load-by-origin.ts'

const now = new Date('2026-11-20T12:00:00Z')
const openData: Visibility = { kind: 'rules', rules: [] }

/** Lags of the newest values in seconds, by origin and station; the period is 300 seconds. */
const lags: Readonly<Record<string, readonly number[]>> = {
  A: [0, 600, 601, 1800, 1801, 604_801, -60],
  B: [100, 200, 300],
}

describeWithDatabase('The freshness of origins', (database) => {
  beforeAll(async () => {
    await database().transaction(async (tx) => {
      await storeDataTypes(tx, { received: now, items: [{ name: 't' }] })
      for (const [origin, ofOrigin] of Object.entries({ ...lags, C: [5] })) {
        const items = ofOrigin.map((_, index) => ({ code: `${origin}${String(index)}` }))
        const closed = origin === 'C'
        await storeStations(tx, { stationType: 'P', origin, closed, received: now, items })
        const values = ofOrigin.map((lag, index): MeasurementItem => {
          const time = new Date(now.getTime() - lag * 1000).toISOString()
          return [`${origin}${String(index)}`, 't', time, 1]
        })
        await storeMeasurements(tx, { stationType: 'P', period: 300, received: now, items: values })
      }
    })
  })

  it('is counted by state, with lags of past values only and without closed data', async () => {
    const found = await loadByOrigin(database(), openData, now)
    expect(found).toEqual([
      {
        origin: 'A',
        series: new Map([
          ['ahead', 1],
          ['fresh', 2],
          ['late', 2],
          ['stale', 1],
          ['silent', 1],
        ]),
        oldestLag: 604_801,
        medianLag: 601,
        farthestAhead: 60,
      },
      {
        origin: 'B',
        series: new Map([
          ['ahead', 0],
          ['fresh', 3],
          ['late', 0],
          ['stale', 0],
          ['silent', 0],
        ]),
        oldestLag: 300,
        medianLag: 200,
        farthestAhead: null,
      },
    ])
    const all = await loadByOrigin(database(), { kind: 'everything' }, now)
    expect(all.map(({ origin }) => origin)).toEqual(['A', 'B', 'C'])
  })

  it('is exposed as metrics, without origins that no longer exist', async () => {
    const registry = new Registry()
    const show = freshnessMetrics(registry)
    show(await loadByOrigin(database(), openData, now))
    const text = await registry.metrics()
    expect(text).toContain('hub_timeseries_series{origin="A",state="late"} 2')
    expect(text).toContain('hub_timeseries_oldest_lag_seconds{origin="A"} 604801')
    expect(text).toContain('hub_timeseries_median_lag_seconds{origin="B"} 200')
    expect(text).toContain('hub_timeseries_farthest_future_seconds{origin="A"} 60')
    show([])
    expect(await registry.metrics()).not.toContain('origin=')
  })
})
