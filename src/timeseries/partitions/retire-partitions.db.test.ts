import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/fixtures/database-settings.ts'
import {
  cloneDatabase,
  describeOn,
  describeOnBothEngines,
  useDatabase,
} from '../../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../../test/fixtures/databases.ts'
import {
  attach,
  monthsRead,
  operator,
  prepare,
  readLong,
  retire,
  stateOf,
  store,
  storeMonths,
} from '../../../test/fixtures/old-months.ts'
import { sql } from '../../sql/index.ts'
import { datasetVersion } from '../../storage/index.ts'
import type { Database } from '../../storage/index.ts'
import { deleteTimeseries } from '../write/delete-timeseries.ts'
import { planRetirement } from './retire-partitions.ts'

describeOnBothEngines('Old months of measurements', (engine) => {
  const database = useDatabase(engine)
  beforeAll(async () => {
    await prepare(database())
    await storeMonths(database(), ['1999-05', '2024-01', '2024-02', '2024-03', '2026-11'])
  })

  it('are kept forever by default', async () => {
    expect(await retire(database(), undefined)).toEqual([])
    expect(await monthsRead(database())).toContain('2024-01')
  })

  it('are planned without a change, then detached once with a new dataset version', async () => {
    const policy = { firstKept: '2024-03', retirement: 'detach' } as const
    const planned = await planRetirement(database(), policy)
    expect(planned.map(({ month }) => month)).toEqual(['2024-01', '2024-02'])
    expect(await stateOf(database(), '2024-01')).toBe('attached')
    const before = await datasetVersion(database(), 'timeseries/P')
    expect(await retire(database(), '2024-03')).toEqual([
      { name: 'measurement_2024_01', outcome: 'detach' },
      { name: 'measurement_2024_02', outcome: 'detach' },
    ])
    expect(await datasetVersion(database(), 'timeseries/P')).not.toBe(before)
    expect(await monthsRead(database())).toEqual(['1999-05', '2024-03', '2026-11'])
    expect(await stateOf(database(), '2024-01')).toBe('detached')
    expect(await retire(database(), '2024-03')).toEqual([])
    const rows = await database().query(sql`select from measurement_2024_01`)
    expect(rows).toHaveLength(1)
  })

  it('reject values with a reason, and create neither tables nor series', async () => {
    const outcome = await store(database(), [
      ['a', 't', '2024-02-29T23:59:59Z', 1],
      ['a', 't', '2024-03-01T00:00:00Z', 2],
      ['a', 'u', '2010-01-01T00:00:00Z', 3],
      ['a', 't', '1999-01-01T00:00:00Z', 4],
      ['nowhere', 't', '2026-11-05T00:00:00Z', 5],
    ])
    expect(outcome.stored).toBe(1)
    expect(outcome.rejected.map(({ index }) => index).toSorted()).toEqual([0, 2, 3, 4])
    expect(outcome.rejected).toContainEqual({
      index: 0,
      pointer: '/2',
      reason: 'is older than the values that this hub keeps',
    })
    expect(await stateOf(database(), '2010-01')).toBeUndefined()
    const series = await database().query(sql`
      select from series join data_type on data_type.id = data_type_id where name = 'u'`)
    expect(series).toHaveLength(0)
  })

  it('keep the latest value of a series that has no other value', async () => {
    await database().execute(sql`delete from measurement where valid_time >= '2024-03-01'`)
    const [row] = await database().query<{ found: number }>(
      sql`select count(*)::integer as found from latest`,
    )
    expect(row?.found).toBe(1)
    const remove = (from: string, to: string) =>
      database().transaction((tx) => {
        const items = [{ code: 'a', from, to }]
        return deleteTimeseries(tx, { stationType: 'P', what: 'measurements', items, by: operator })
      })
    const latest = () => database().texts(sql`select number from latest`)
    await remove('2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z')
    expect(await latest()).toEqual([['4']])
    await remove('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z')
    expect(await latest()).toEqual([['0']])
  })

  it('can be moved by policy and attached again, even with an older primary key', async () => {
    expect(await retire(database(), '2024-03', 'move')).toHaveLength(2)
    expect(await stateOf(database(), '2024-02')).toBe('moved')
    await expect(attach(database(), '2024-02', '2024-03')).rejects.toThrow('older than')
    await expect(attach(database(), '2023-07')).rejects.toThrow(
      'Detached, moved or cold: 2024-01, 2024-02',
    )
    expect(await retire(database(), undefined)).toEqual([])
    // The retention is lifted, but the table of the month is in the archive.
    const aside = await store(database(), [['a', 't', '2024-02-06T00:00:00Z', 1]])
    expect(aside.rejected).toMatchObject([{ reason: 'is in a retired month' }])
    await database().execute(sql`
      alter table measurement_archive.measurement_2024_02
        drop constraint measurement_2024_02_pkey, add primary key (series_id, valid_time)`)
    await attach(database(), '2024-02')
    expect(await monthsRead(database())).toContain('2024-02')
    expect((await store(database(), [['a', 't', '2024-02-06T00:00:00Z', 1]])).rejected).toEqual([])
    await expect(attach(database(), '2024-02')).rejects.toThrow('attached already')
  })

  it('can be dropped by policy; archived months stay', async () => {
    await storeMonths(database(), ['2024-04', '2024-05'])
    expect(await retire(database(), '2024-05', 'drop')).toEqual([
      { name: 'measurement_2024_02', outcome: 'drop' },
      { name: 'measurement_2024_03', outcome: 'drop' },
      { name: 'measurement_2024_04', outcome: 'drop' },
    ])
    expect(await stateOf(database(), '2024-04')).toBeUndefined()
    expect(await stateOf(database(), '2024-01')).toBe('moved')
    expect(await monthsRead(database())).toContain('2024-05')
  })
})

describeOn('postgresql', 'Months that are read while they are retired', () => {
  let clone: TestDatabase
  let database: Database
  let hasty: Database
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    database = await openTestDatabase(clone.settings)
    hasty = await openTestDatabase({ ...clone.settings, HUB_STATEMENT_TIMEOUT: 1500 })
    await prepare(database)
    await storeMonths(database, ['2024-01', '2024-02', '2024-03', '2026-11'])
  })
  afterAll(async () => {
    await Promise.all([database.close(), hasty.close()])
    await clone.drop()
  })

  it('block neither reads nor writes, and are completed by the next run', async () => {
    const long = readLong(database)
    expect(await long.begun).toBe(4)
    const [first, ...others] = await retire(hasty, '2024-02')
    expect([first, others]).toEqual([{ name: 'measurement_2024_01', outcome: 'waiting' }, []])
    expect(await stateOf(database, '2024-01')).toBe('detaching')
    // New reads and writes are not held up (their timeout is as short) and no longer see the month.
    expect(await monthsRead(hasty)).toEqual(['2024-02', '2024-03', '2026-11'])
    expect((await storeMonths(hasty, ['2024-03', '2026-11', '2027-01'])).rejected).toEqual([])
    await long.letGo()
    expect(await retire(hasty, '2024-02')).toEqual([
      { name: 'measurement_2024_01', outcome: 'detach' },
    ])
    expect(await stateOf(database, '2024-01')).toBe('detached')
  })

  it('wait for a read that started earlier, even if two nodes retire them', async () => {
    const long = readLong(database)
    const seen = await long.begun
    const runs = Promise.all([
      retire(database, '2024-03', 'move'),
      retire(database, '2024-03', 'move'),
    ])
    await expect.poll(() => monthsRead(hasty)).not.toContain('2024-02')
    expect(await long.letGo()).toBeLessThanOrEqual(seen)
    await runs
    expect(await stateOf(database, '2024-02')).toBe('moved')
    expect(await stateOf(database, '2024-01')).toBe('moved')
    expect(await monthsRead(database)).toContain('2024-03')
  })
})
