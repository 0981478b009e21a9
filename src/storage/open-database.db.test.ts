import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/fixtures/database-settings.ts'
import {
  cloneDatabase,
  describeOn,
  describeOnBothEngines,
  useDatabase,
} from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { silentLog } from '../../test/fixtures/silent-log.ts'
import { identifier, sql } from '../sql/index.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import { isUniqueViolation } from './pg-errors.ts'

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
  const addressWith = (parameters: Readonly<Record<string, string>>) => {
    const url = new URL(clone.settings.DATABASE_URL ?? '')
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  it('are named sessions in UTC with limits for statements and idle transactions', async () => {
    const rows = await database.query(sql`select
      current_setting('timezone') as zone, current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('application_name') as name`)
    expect(rows).toEqual([{ zone: 'UTC', statement: '30s', idle: '1min', name: 'hub' }])
  })

  it('keep the session settings of the URL', async () => {
    const url = addressWith({ application_name: 'node7', options: '-c work_mem=9MB' })
    const named = await openTestDatabase({ ...clone.settings, DATABASE_URL: url })
    const rows = await named.query(sql`select current_setting('work_mem') as memory,
      current_setting('application_name') as name, current_setting('timezone') as zone`)
    await named.close()
    expect(rows).toEqual([{ memory: '9MB', name: 'node7', zone: 'UTC' }])
  })

  it('are replaced when the server ends them, during a statement or between two', async () => {
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

  it('to an unreachable server fail with HUB-SRV-002 and a time to retry', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/nowhere'
    const absent = await openTestDatabase({ ...clone.settings, DATABASE_URL: url })
    const error: unknown = await absent.ping().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'HUB-SRV-002' })
    expect(error).toHaveProperty('headers.Retry-After')
    await absent.close()
  })

  it('for reads use DATABASE_READ_URL, and all others do not', async () => {
    const named = (name: string) => addressWith({ application_name: name })
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

describeOnBothEngines('a database', (engine) => {
  const database = useDatabase(engine)
  it('returns rows as objects, with JSON and dates without a zone as text', async () => {
    const rows = await database().query(sql`select
      '{"a": 1}'::jsonb as document, array['{"b": 2}', null] as documents, ${7}::int as number,
      true as flag, null as nothing, date '2026-03-29' as day, timestamp '2026-03-29 02:30' as local,
      timestamptz '2026-03-29 02:30+02' as moment, 9007199254740993::int8 as long`)
    expect(rows).toEqual([
      {
        document: '{"a": 1}',
        documents: ['{"b": 2}', null],
        number: 7,
        flag: true,
        nothing: null,
        day: '2026-03-29',
        local: '2026-03-29 02:30:00',
        moment: new Date('2026-03-29T00:30:00Z'),
        long: '9007199254740993',
      },
    ])
  })

  it('returns rows as texts in UTC, exactly as PostgreSQL writes them', async () => {
    const moment = new Date('2026-07-01T10:00:00.125Z')
    const rows = await database().texts(
      sql`select ${moment}::timestamptz, '{"a": [1,2]}'::json, 0.1::float8, null, true, array[1,2]`,
    )
    expect(rows).toEqual([
      ['2026-07-01 10:00:00.125+00', '{"a": [1,2]}', '0.1', null, 't', '{1,2}'],
    ])
  })

  it('returns how many rows a statement affected', async () => {
    const { execute } = database()
    await execute(sql`create table counted (n int)`)
    expect(await execute(sql`insert into counted select generate_series(1, ${3})`)).toBe(3)
    expect(await execute(sql`delete from counted where n > ${1}`)).toBe(2)
    expect(await execute(sql`delete from counted where n > ${1}`)).toBe(0)
  })

  it('prepares a repeated statement, which works with other values', async () => {
    const one = async (value: number) => {
      const rows = await database().query(sql`select ${value}::int * 2 as doubled`)
      return rows[0]?.['doubled']
    }
    const answers = []
    for (const value of [1, 2, 3, 4]) answers.push(await one(value))
    expect(answers).toEqual([2, 4, 6, 8])
    const prepared = await database().query(
      sql`select count(*)::int as n from pg_prepared_statements where statement like '%as doubled'`,
    )
    expect(prepared).toEqual([{ n: 1 }])
  })

  it('runs a prepared statement even after its table has changed', async () => {
    const { execute, query } = database()
    await execute(sql`create table reshaped (a int)`)
    await execute(sql`insert into reshaped values (1)`)
    const select = () => query(sql`select * from reshaped where a = ${1}`)
    for (let time = 0; time < 3; time++) await select()
    await execute(sql`alter table reshaped add column b text default 'new'`)
    expect(await select()).toEqual([{ a: 1, b: 'new' }])
  })

  it('prepares a bounded number of statements, however many different ones are run', async () => {
    const ask = (at: number) =>
      database().texts(sql`select ${at}::int as ${identifier(`column ${String(at)}`)}`)
    for (let at = 0; at < 1200; at += 1) {
      expect(await ask(at)).toEqual([[String(at)]])
      expect(await ask(at)).toEqual([[String(at)]])
    }
    const [row] = await database().texts(sql`select count(*) from pg_prepared_statements`)
    expect(Number(row?.[0])).toBeLessThan(1000)
    expect(Number(row?.[0])).toBeGreaterThan(100)
  })

  it('keeps its connection after an error, which contains the text of the statement', async () => {
    const { execute, query } = database()
    await execute(sql`create table keyed (id int primary key)`)
    const insert = () => execute(sql`insert into keyed values (${1})`)
    await insert()
    const error: unknown = await insert().catch((reason: unknown) => reason)
    expect(isUniqueViolation(error)).toBe(true)
    expect(error).toHaveProperty('statement', 'insert into keyed values ($1)')
    expect(await query(sql`select id from keyed`)).toEqual([{ id: 1 }])
  })

  it('has the extensions that migrations need', async () => {
    const rows = await database().query(sql`select
      st_distance('SRID=4326;POINT(11 46)'::geography, 'SRID=4326;POINT(11 46)'::geography) as distance,
      similarity('Bozen', 'bozen') as likeness, unaccent('Südtirol') as plain`)
    expect(rows).toEqual([{ distance: 0, likeness: 1, plain: 'Sudtirol' }])
  })

  it('responds while open, and fails with HUB-SRV-002 or HUB-SRV-004 afterwards', async () => {
    await expect(database().ping()).resolves.toBeUndefined()
    await database().close()
    await expect(database().ping()).rejects.toMatchObject({ status: 503 })
  })
})
