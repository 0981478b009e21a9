import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/fixtures/database-settings.ts'
import {
  cloneDatabase,
  describeOnEngines,
  describeWithDatabase,
} from '../../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../../test/fixtures/databases.ts'
import {
  attach,
  monthsRead,
  prepare,
  retire,
  store,
  storeMonths,
} from '../../../test/fixtures/old-months.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { ensurePartitionsAhead, keepSpan, makePartitions } from './keep-partitions.ts'
import { listPartitions } from './months.ts'

describeWithDatabase('Partitions of the measurements', (database) => {
  it('are created once for the months around now, also across a year boundary', async () => {
    const made = async () => {
      const rows = await database().query<{ name: string }>(sql`
        select relname::text as name from pg_class
        where relname ~ '^measurement_20[34]\\d_\\d\\d$' and relkind = 'r' order by 1`)
      return rows.map(({ name }) => name)
    }
    await ensurePartitionsAhead(database(), new Date('2039-12-31T23:59:59Z'))
    const names = ['2039_10', '2039_11', '2039_12', '2040_01', '2040_02', '2040_03']
    expect(await made()).toEqual(names.map((month) => `measurement_${month}`))
    await ensurePartitionsAhead(database(), new Date('2039-12-31T23:59:59Z'))
    expect(await made()).toHaveLength(6)
  })
})

const settings = { yearsBack: 10, yearsAhead: 2, latestAhead: 2_678_400 }

describeOnEngines('The span of months with separate tables', (engine) => {
  let clone: TestDatabase
  let database: Database
  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    database = await openTestDatabase(clone.settings)
    await prepare(database)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
  })

  const years = async () => {
    const months = (await listPartitions(database)).flatMap(({ month, state }) =>
      month !== null && state === 'attached' ? [Number(month.slice(0, 4))] : [],
    )
    return [Math.min(...months), Math.max(...months)]
  }
  const span = async () => {
    const [row] = await database.query<{ first: string; end: string }>(sql`
      select first_month as first, end_month as end from measurement_span`)
    return [row?.first, row?.end]
  }

  it('removes even many tables of months outside it and keeps their values', async () => {
    await makePartitions(database, { first: '2000-01', last: '2009-12' })
    await makePartitions(database, { first: '2090-01', last: '2099-12' })
    const months = ['1990-05', '2001-05', '2016-01', '2026-11', '2028-12', '2029-01', '2095-05']
    await storeMonths(database, months)
    await keepSpan(database, new Date('2026-11-23T12:00:00Z'), settings)
    expect(await span()).toEqual(['2016-01', '2029-01'])
    expect(await years()).toEqual([2016, 2028])
    expect(await monthsRead(database)).toEqual(months)
  })

  it('accepts values outside it with a warning', async () => {
    const far = { pointer: '/2', reason: expect.stringContaining('(2016-01 to 2028-12)') }
    const outcome = await storeMonths(database, ['1985-05', '2026-11', '2099-05'])
    expect(outcome).toMatchObject({
      stored: 3,
      warnings: [
        { index: 0, ...far },
        { index: 2, ...far },
      ],
    })
    expect(outcome.warnings?.[1]?.reason).toContain('not shown as the latest value')
    expect(await years()).toEqual([2016, 2028])
    const [latest] = await database.query<{ year: number }>(sql`
      select extract(year from valid_time)::integer as year from latest`)
    expect(latest).toEqual({ year: 2026 })
  })

  it('advances with the years and creates tables for the months it then covers', async () => {
    await keepSpan(database, new Date('2027-01-01T00:00:00Z'), { ...settings, yearsBack: 40 })
    expect(await span()).toEqual(['1987-01', '2030-01'])
    const found = (await listPartitions(database)).flatMap(({ month }) => month ?? [])
    expect(found).toEqual(expect.arrayContaining(['1990-05', '2001-05', '2029-01']))
    expect(found).not.toContain('2099-05')
    expect(await monthsRead(database)).toHaveLength(9)
  })

  it('extends to an outside month with many values, and includes those between', async () => {
    const second = (at: number) => new Date(Date.UTC(2005, 2, 1) + at * 1000).toISOString()
    await makePartitions(database, { first: '2005-03', last: '2005-03' })
    await store(
      database,
      Array.from({ length: 10_001 }, (_, at) => ['a', 'u', second(at), at] as const),
    )
    await keepSpan(database, new Date('2027-06-01T00:00:00Z'), settings)
    expect(await span()).toEqual(['2005-03', '2030-01'])
    expect(await years()).toEqual([2005, 2029])
    expect(await monthsRead(database)).toHaveLength(10_010)
  })

  it('has a setting for how far ahead the latest value may be', async () => {
    const now = new Date('2027-06-01T00:00:00Z')
    const at = new Date(new Date().getTime() + 40 * 86_400_000).toISOString()
    expect(await store(database, [['a', 't', at, 1]])).toHaveProperty('warnings')
    await keepSpan(database, now, { ...settings, latestAhead: 50 * 86_400 })
    expect(await store(database, [['a', 't', at, 2]])).not.toHaveProperty('warnings')
    const [latest] = await database.query<{ number: number }>(sql`
      select number from latest join series on series.id = series_id
      join data_type on data_type.id = data_type_id where data_type.name = 't'`)
    expect(latest).toEqual({ number: 2 })
  })

  it('must include a retired month before that month is attached', async () => {
    const now = new Date('2027-06-01T00:00:00Z')
    await storeMonths(database, ['2010-01'])
    await retire(database, '2010-02')
    await retire(database, undefined)
    await keepSpan(database, now, settings)
    await expect(attach(database, '2010-01')).rejects.toThrow('Only the months 2017-01 to 2029-12')
    await keepSpan(database, now, { ...settings, yearsBack: 20 })
    await attach(database, '2010-01')
    expect(await monthsRead(database)).toContain('2010-01')
  })
})
