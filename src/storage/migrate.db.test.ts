import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { cloneDatabase, describeOnBothEngines } from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { openTestDatabase } from '../../test/fixtures/database-settings.ts'
import { silentLog } from '../../test/fixtures/silent-log.ts'
import { sql } from '../sql/index.ts'
import type { Database } from './database.ts'
import { migrate, pendingMigrations } from './migrate.ts'

describeOnBothEngines('migrate', (engine) => {
  let clone: TestDatabase
  let database: Database
  let directory = ''
  beforeAll(async () => {
    clone = await cloneDatabase(engine, 'empty')
    database = await openTestDatabase(clone.settings)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
  })
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hub-test-'))
    await write('0001-a.sql', 'create table a (n int); insert into a values (1); select 1')
    await write('0002-b.sql', 'create table b as select n from a')
  })
  afterEach(async () => {
    await rm(directory, { recursive: true })
    await database.execute(sql`drop table if exists migration, a, b, c`)
  })

  const write = (name: string, text: string) => writeFile(join(directory, name), text)
  const run = (on = database) => migrate(on, { directory, log: silentLog })
  const pending = () => pendingMigrations(database, directory)

  it('applies missing files once, and returns their names', async () => {
    expect(await pending()).toEqual(['0001-a.sql', '0002-b.sql'])
    expect(await run()).toEqual(['0001-a.sql', '0002-b.sql'])
    expect(await pending()).toEqual([])
    expect(await run()).toEqual([])
    await write('0003-c.sql', 'create table c (n int)')
    expect(await pending()).toEqual(['0003-c.sql'])
    expect(await run()).toEqual(['0003-c.sql'])
    expect(await database.query(sql`select n from b`)).toEqual([{ n: 1 }])
  })

  it('lets several nodes start at once: each file is applied by one of them', async () => {
    const others =
      engine === 'embedded'
        ? [database]
        : await Promise.all([1, 2, 3].map(() => openTestDatabase(clone.settings)))
    await write('0003-c.sql', 'select pg_sleep(0.2); create table c (n int)')
    const applied = await Promise.all([database, ...others].map((each) => run(each)))
    if (engine === 'postgresql') await Promise.all(others.map((other) => other.close()))
    expect(applied.flat().sort()).toEqual(['0001-a.sql', '0002-b.sql', '0003-c.sql'])
  })

  it('refuses to run if an applied file was changed, and states the remedy', async () => {
    await run()
    await appendFile(join(directory, '0001-a.sql'), ' -- a thought')
    await expect(run()).rejects.toThrow(/0001-a\.sql was changed.+put the change into a new/)
  })

  it('rolls back a failed file as a whole, keeps those before it, and can continue', async () => {
    await write('0002-b.sql', 'create table b (n int); select 1 / 0')
    await expect(run()).rejects.toThrow(/0002-b\.sql failed and was rolled back: division by zero/)
    expect(await pending()).toEqual(['0002-b.sql'])
    await write('0002-b.sql', 'create table b (n int)')
    expect(await run()).toEqual(['0002-b.sql'])
  })

  it('is not subject to the statement timeout', async () => {
    await database.close()
    database = await openTestDatabase({ ...clone.settings, HUB_STATEMENT_TIMEOUT: 1000 })
    await write('0003-c.sql', 'select pg_sleep(1.5)')
    expect(await run()).toHaveLength(3)
  })
})
