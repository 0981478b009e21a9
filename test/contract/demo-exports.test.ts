import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRegion } from '../../src/compose/index.ts'
import { entitiesOf, exportEntity, inImportOrder, toNaming } from '../../src/content/index.ts'
import { planRegion } from '../../src/demo/index.ts'
import { canonicalKinds, canonicalPipeline, storeBody } from '../../src/push/index.ts'
import { exportTimeseries, timeseriesExports } from '../../src/timeseries/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOnBothEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const naming = toNaming('Hub')
const entities = entitiesOf(naming)
const pipelines = [canonicalPipeline(canonicalKinds(entities))]
const until = new Date('2026-11-20T12:00:00Z')
const now = () => until
const plan = { seed: 7, scale: 0.05, until, naming, publicUrl: 'http://hub.test' }

/** Everything a hub holds, dataset by dataset. */
async function* exportAll(database: Database): AsyncIterable<string> {
  for (const entity of inImportOrder(entities)) yield* exportEntity(database, entity)
  for (const name of timeseriesExports) yield* exportTimeseries(database, name)
}

/** jsonb orders members by itself, so equal data is equal text on every engine. */
async function hashOf(database: Database): Promise<string> {
  const hash = createHash('sha256')
  for await (const line of exportAll(database)) hash.update(`${line}\n`)
  return hash.digest('hex')
}

const hashes = new Map<string, string>()

describeOnBothEngines('the made-up region', (engine) => {
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
    const { signal } = new AbortController()
    const store = { database: loaded, entities, pipelines }
    const loading = { store, now, signal, onProgress: () => undefined }
    await loadRegion({ part: 'present', plan }, loading)
    await loadRegion({ part: 'history', plan }, loading)
  })
  afterAll(async () => {
    for (const database of databases) await database.close()
    for (const clone of clones) await clone.drop()
  })

  it('gives the same exports on both engines', async () => {
    hashes.set(engine, await hashOf(loaded))
    const [first, ...others] = hashes.values()
    expect(others.every((hash) => hash === first)).toBe(true)
    expect(first).toHaveLength(64)
  })

  it('gives the same exports once they are imported into an empty hub', async () => {
    const copy = await open()
    for await (const line of exportAll(loaded)) {
      const origin = { stream: 'import/files', received: until, mayBackdate: true }
      const outcome = await copy.transaction((tx) =>
        storeBody(tx, pipelines, { ...origin, body: Buffer.from(line) }),
      )
      expect(outcome?.rejected).toEqual([])
    }
    expect(await hashOf(copy)).toBe(hashes.get(engine))
  })
})

describe('another seed', () => {
  it('makes another region', () => {
    const [first] = planRegion(plan).content()
    const [other] = planRegion({ ...plan, seed: 8 }).content()
    expect(other).not.toEqual(first)
  })
})
