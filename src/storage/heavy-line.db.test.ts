import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/fixtures/database-settings.ts'
import { cloneDatabase, describeOnBothEngines } from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import type { Database, Queryable } from './database.ts'

describeOnBothEngines('heavy reads', (engine) => {
  let clone: TestDatabase
  let database: Database
  beforeAll(async () => {
    clone = await cloneDatabase(engine, 'empty')
    const settings = { HUB_DATABASE_CONNECTIONS: 10, HUB_STATEMENT_TIMEOUT: 2000 }
    database = await openTestDatabase({ ...clone.settings, ...settings })
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
  })
  const sleep = (queryable: Queryable, seconds = 0.03) =>
    queryable.texts(sql`select pg_sleep(${seconds})`)

  it('hardly delay other reads, however many there are', async () => {
    let done = 0
    const heavy = Array.from({ length: 10 }, async () => {
      // On PostgreSQL far longer than opening the connections takes.
      await sleep(database.heavy(), engine === 'embedded' ? 0.03 : 0.3)
      done++
    })
    await database.read.texts(sql`select 1`)
    // The single connection of the embedded engine is free when the first statement has ended.
    expect(done).toBeLessThanOrEqual(engine === 'embedded' ? 1 : 0)
    await Promise.all(heavy)
  })

  it('are refused when too many wait, unless their first statement was accepted', async () => {
    const begun = database.heavy()
    await sleep(begun)
    const places = engine === 'embedded' ? 1 : 2
    const all = Array.from({ length: 30 }, () => sleep(database.heavy()))
    const later = sleep(begun)
    const outcomes = await Promise.allSettled(all)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(30 - places - 16)
    expect(refused[0]).toMatchObject({
      reason: { code: 'HUB-SRV-008', status: 503, headers: { 'Retry-After': '10' } },
    })
    await expect(later).resolves.toHaveLength(1)
    await expect(sleep(database.heavy())).resolves.toHaveLength(1)
  })

  it('have half the time limit of other reads', async () => {
    await expect(sleep(database.heavy(), 1.5)).rejects.toMatchObject({ code: 'HUB-SRV-003' })
    await expect(sleep(database.read, 1.5)).resolves.toHaveLength(1)
  })
})
