import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, describeOn } from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { openTestDatabase } from '../../test/fixtures/database-settings.ts'
import { silentLog } from '../../test/fixtures/silent-log.ts'
import { sql } from '../sql/index.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'

describeOn('postgresql', 'connections', () => {
  let clone: TestDatabase
  let database: Database
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql', 'empty')
    database = await openTestDatabase(clone.settings)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
  })
  const address = () => clone.settings.DATABASE_URL ?? ''

  it('are sessions in UTC that are named and stop statements and forgotten transactions', async () => {
    const rows = await database.query(sql`select
      current_setting('timezone') as zone, current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('application_name') as name`)
    expect(rows).toEqual([{ zone: 'UTC', statement: '30s', idle: '1min', name: 'hub' }])
  })

  it('keep what the URL says about the session', async () => {
    const url = `${address()}?application_name=node7&options=-c%20work_mem%3D9MB`
    const named = await openTestDatabase({ ...clone.settings, DATABASE_URL: url })
    const rows = await named.query(sql`select current_setting('work_mem') as memory,
      current_setting('application_name') as name, current_setting('timezone') as zone`)
    await named.close()
    expect(rows).toEqual([{ memory: '9MB', name: 'node7', zone: 'UTC' }])
  })

  it('are replaced when the server ends them, in the middle of a statement or between two', async () => {
    const running = database.query(sql`select pg_sleep(20), ${'to be terminated'}::text`)
    const terminate = () =>
      database.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    const [outcome] = await Promise.allSettled([running, terminate()])
    expect(outcome).toMatchObject({ reason: { code: 'HUB-SRV-002', status: 503 } })
    await terminate()
    const all = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => database.query(sql`select 1 as one`)),
    )
    expect(all).toHaveLength(6)
  })

  it('that are lost roll back their transaction and leave the database usable', async () => {
    await database.execute(sql`create table lost (n int)`)
    const work = database.transaction(async (tx) => {
      await tx.execute(sql`insert into lost values (1)`)
      await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`)
    })
    await expect(work).rejects.toMatchObject({ code: 'HUB-SRV-002', status: 503 })
    expect(await database.query(sql`select n from lost`)).toEqual([])
  })

  it('to a server that is not there answer HUB-SRV-002, with a time to try again', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/nowhere'
    const absent = await openTestDatabase({ ...clone.settings, DATABASE_URL: url })
    const error: unknown = await absent.ping().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'HUB-SRV-002' })
    expect(error).toHaveProperty('headers.Retry-After')
    await absent.close()
  })

  it('for reads go to DATABASE_READ_URL, all others do not', async () => {
    const named = (name: string) => `${address()}?application_name=${name}`
    const config = {
      ...clone.settings,
      DATABASE_URL: named('primary'),
      DATABASE_READ_URL: named('replica'),
    }
    const both = await openDatabase({ config, log: silentLog, platform: process.platform })
    const name = sql`select current_setting('application_name') as name`
    expect(await both.read.query(name)).toEqual([{ name: 'replica' }])
    expect(await both.query(name)).toEqual([{ name: 'primary' }])
    expect(await both.transaction((tx) => tx.query(name))).toEqual([{ name: 'primary' }])
    await both.close()
  })
})
