import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import {
  listPartitions,
  storeDataTypes,
  storeMeasurements,
  storeStations,
} from '../../src/timeseries/index.ts'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const minute = 60_000
const hour = 60 * minute

describeOnEngines('The background work for time series', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await openComposedHub(clone.settings, { HUB_MEASUREMENT_KEEP_MONTHS: '12' })
    // The run at the start has ended once it has stored the time from which values are kept.
    await vi.waitFor(async () => {
      expect(await hub.store.database.query(sql`select from measurement_retention`)).toHaveLength(1)
    }, 60_000)
  })
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  it('reports their freshness at /metrics every minute', async () => {
    const received = hub.now()
    await hub.store.database.transaction(async (tx) => {
      await storeStations(tx, { stationType: 'P', origin: 'O', received, items: [{ code: 'a' }] })
      await storeDataTypes(tx, { received, items: [{ name: 't' }] })
      const time = new Date(received.getTime() - hour).toISOString()
      const items = [['a', 't', time, 1]] as const
      await storeMeasurements(tx, { stationType: 'P', period: 600, received, items })
    })
    await vi.waitFor(async () => {
      // A check is skipped while the previous one is in progress.
      hub.tick(minute)
      const { body } = await hub.ask({ url: '/metrics' })
      expect(body).toContain('hub_timeseries_series{origin="O",state="late"} 1')
      expect(body).toContain('hub_timeseries_oldest_lag_seconds{origin="O"} 3600')
    }, 60_000)
  })

  it('reports no freshness while it cannot be determined, instead of an outdated one', async () => {
    const { database } = hub.store
    await database.execute(sql`alter table latest rename to latest_away`)
    const shown = async () => {
      hub.tick(minute)
      return (await hub.ask({ url: '/metrics' })).body.includes('hub_timeseries_series{')
    }
    await vi.waitFor(async () => {
      expect(await shown()).toBe(false)
    }, 60_000)
    await database.execute(sql`alter table latest_away rename to latest`)
    await vi.waitFor(async () => {
      expect(await shown()).toBe(true)
    }, 60_000)
  })

  it('stores the figures of their quality ten minutes after the start', async () => {
    hub.tick(10 * minute)
    const day = hub.now().toISOString().slice(0, 10)
    await vi.waitFor(async () => {
      const { body } = await hub.ask({ url: '/quality/trends?dataset=P' })
      expect(JSON.parse(body)).toMatchObject({
        scope: 'open',
        datasets: [{ dataset: 'P', days: [{ day, total: 1, counts: { stale: 0 } }] }],
      })
    }, 60_000)
  })

  it('retires old months within an hour', async () => {
    const { database } = hub.store
    await database.execute(
      sql`select ensure_measurement_partitions('2020-01-01Z'::timestamptz, '2020-02-01Z'::timestamptz)`,
    )
    hub.tick(hour)
    await vi.waitFor(async () => {
      const old = (await listPartitions(database)).filter(({ month }) => month?.startsWith('2020'))
      expect(old.map(({ state }) => state)).toEqual(['detached', 'detached'])
    }, 60_000)
  })
})
