import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { summariseValues } from './summary.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'
import type { MeasurementItem } from './write/store-values.ts'

const now = new Date('2026-11-20T12:00:00Z')
const minute = 60

/** Lags of the values of each station in seconds. Negative ones are in the future. */
const declared = { dead: [-minute, 3 * 86_400], forecast: [-minute, 0], planned: [-minute] }
const undeclared = { observed: [180, 181, 182, 183].map((lag) => lag * minute) }

describeWithDatabase('The summary of values', (database) => {
  const store = (period: number, lags: Readonly<Record<string, readonly number[]>>) =>
    database().transaction(async (tx) => {
      const items = Object.keys(lags).map((code) => ({ code }))
      await storeDataTypes(tx, { received: now, items: [{ name: 't' }] })
      await storeStations(tx, { stationType: 'P', origin: 'A', received: now, items })
      const values = Object.entries(lags).flatMap(([code, ofStation]) =>
        ofStation.map((lag): MeasurementItem => {
          const time = new Date(now.getTime() - lag * 1000).toISOString()
          return [code, 't', time, 1]
        }),
      )
      await storeMeasurements(tx, { stationType: 'P', period, received: now, items: values })
    })

  it('has the states of /v2/freshness: by the latest past value and the observed period', async () => {
    await store(300, declared)
    await store(0, undeclared)
    const found = await summariseValues(database(), { part: 'open', now })
    expect(found.get('P')).toEqual({
      ...{ series: 4, newest: '2026-11-20T12:00:00.000Z', period: 300 },
      states: { fresh: 1, late: 0, stale: 2, silent: 0, ahead: 1 },
    })
  })
})
