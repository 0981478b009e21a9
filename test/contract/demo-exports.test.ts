import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planRegion } from '../../src/demo/index.ts'
import { storeBody } from '../../src/push/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import {
  exportAll,
  fillRegion,
  hashOfExports,
  pipelines,
  smallRegion,
} from '../fixtures/small-region.ts'

// Whether both engines export the same is tested in test/parity.

describeOnEngines('the generated region', (engine) => {
  const clones: TestDatabase[] = []
  const databases: Database[] = []
  const open = async () => {
    const clone = await cloneDatabase(engine)
    const database = await openTestDatabase(clone.settings)
    clones.push(clone)
    databases.push(database)
    return database
  }
  let loaded: Database

  beforeAll(async () => {
    loaded = await open()
    await fillRegion(loaded)
  })
  afterAll(async () => {
    for (const database of databases) await database.close()
    for (const clone of clones) await clone.drop()
  })

  it('has the same exports after they are imported into an empty hub', async () => {
    const copy = await open()
    for await (const line of exportAll(loaded)) {
      const origin = { stream: 'import/files', received: smallRegion.until, mayBackdate: true }
      const outcome = await copy.transaction((tx) =>
        storeBody(tx, pipelines, { ...origin, body: Buffer.from(line) }),
      )
      expect(outcome.rejected).toEqual([])
    }
    expect(await hashOfExports(copy)).toBe(await hashOfExports(loaded))
  })
})

describe('another seed', () => {
  it('creates another region', () => {
    const [first] = planRegion(smallRegion).content()
    const [other] = planRegion({ ...smallRegion, seed: 8 }).content()
    expect(other).not.toEqual(first)
  })
})
