import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, describeOnBothEngines } from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { openTestDatabase } from '../../test/fixtures/database-settings.ts'
import { sql } from '../sql/index.ts'
import type { Database } from './database.ts'

const endless = sql`select count(*) from generate_series(1, ${'10000000000'}::bigint)`
const timeout = 1500

describeOnBothEngines('a statement that exceeds its time limit', (engine) => {
  let clone: TestDatabase
  let database: Database
  beforeAll(async () => {
    clone = await cloneDatabase(engine, 'empty')
    database = await openTestDatabase({ ...clone.settings, HUB_STATEMENT_TIMEOUT: timeout })
    await database.execute(sql`create table entry (name text)`)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
  })

  it('fails with HUB-SRV-003, and the database keeps its data and stays usable', async () => {
    await database.execute(sql`insert into entry values ('before')`)
    const started = performance.now()
    const error: unknown = await database.query(endless).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'HUB-SRV-003', status: 503 })
    expect(performance.now() - started).toBeLessThan(timeout + 5_000)
    await database.execute(sql`insert into entry values ('after')`)
    const rows = await database.query(sql`select name from entry order by name desc`)
    expect(rows).toEqual([{ name: 'before' }, { name: 'after' }])
  })

  it('rolls back its transaction', async () => {
    const work = database.transaction(async (tx) => {
      await tx.execute(sql`insert into entry values ('rolled back')`)
      await tx.query(endless)
    })
    await expect(work).rejects.toMatchObject({ code: 'HUB-SRV-003' })
    const rows = await database.query(sql`select name from entry where name = 'rolled back'`)
    expect(rows).toEqual([])
  })

  it('is not one that only waited for a connection', async () => {
    const sleep = () => database.query(sql`select pg_sleep(0.5)`)
    await expect(Promise.all([1, 2, 3, 4, 5].map(sleep))).resolves.toHaveLength(5)
  })

  it('has the limit of its transaction, which may be none', async () => {
    const sleep = (seconds: number, statementTimeout: number) =>
      database.transaction((tx) => tx.query(sql`select pg_sleep(${seconds})`), {
        statementTimeout,
      })
    await expect(sleep(2, 0)).resolves.toHaveLength(1)
    await expect(sleep(3, 200)).rejects.toMatchObject({ code: 'HUB-SRV-003' })
  })
})
