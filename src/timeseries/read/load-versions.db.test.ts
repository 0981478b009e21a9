import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { storeDataTypes, storeMeasurements } from '../write/store-measurements.ts'
import { storeStations } from '../write/store-stations.ts'
import { findLevel } from './find-level.ts'
import { loadVersions } from './load-pages.ts'
import { planRead } from './plan.ts'

const received = new Date()

describeWithDatabase('The versions of the data that a read returns', (database, engine) => {
  const plan = planRead(
    {
      ...findLevel(['flat', 'P', '*', 'latest']),
      ...{ visibility: { kind: 'rules', rules: [] }, profile: 'strict', clientOriginPrefixes: [] },
    },
    { limit: 10, offset: 0, shownull: false, distinct: true, bom: false },
  )
  const versions = () => loadVersions(database().read, plan)
  let minute = 0
  const measure = (tx: Transaction) => {
    minute += 1
    const time = new Date(received.getTime() - minute * 60_000).toISOString()
    return storeMeasurements(tx, {
      ...{ stationType: 'P', period: 60, received, items: [['a', 't', time, minute]] },
    })
  }
  beforeAll(async () => {
    await database().transaction(async (tx) => {
      const items = [{ code: 'a' }]
      await storeStations(tx, { stationType: 'P', origin: 'O', received, items })
      await storeDataTypes(tx, { received, items: [{ name: 't' }] })
    })
  })

  it('stay the same until that data is written', async () => {
    for (let round = 0; round < 5; round++) {
      const known = await versions()
      expect([await versions(), await versions()]).toEqual([known, known])
      await database().transaction(async (tx) => {
        await storeStations(tx, { stationType: 'Other', received, items: [{ code: 'b' }] })
      })
      expect(await versions()).toBe(known)
      await database().transaction(measure)
      expect(await versions()).not.toBe(known)
    }
  })

  it('are read with a generic plan after a few custom ones', async () => {
    for (let round = 0; round < 12; round++) {
      await database().transaction(measure)
      await versions()
    }
    const plans = await database().query<{ custom: number }>(sql`
      select custom_plans::integer as custom from pg_prepared_statements
      where statement like '%now.snapshot%'`)
    expect(plans.length).toBeGreaterThan(0)
    // PostgreSQL makes five custom plans, then decides.
    for (const { custom } of plans) expect(custom).toBeLessThanOrEqual(5)
  })

  it.skipIf(engine === 'embedded')(
    'change when a transaction that was open during the read ends [not run: the embedded engine has one connection]',
    async () => {
      const known = await versions()
      const [begun, read] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
      const open = database().transaction(async (tx) => {
        await measure(tx)
        begun.resolve(undefined)
        await read.promise
      })
      await begun.promise
      expect([await versions(), await versions()]).toEqual([known, known])
      read.resolve(undefined)
      await open
      const now = await versions()
      expect(now).not.toBe(known)
      expect(await versions()).toBe(now)
    },
  )
})
