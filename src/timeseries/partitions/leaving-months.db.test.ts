import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTestDatabase } from '../../../test/fixtures/database-settings.ts'
import { cloneDatabase, describeOn } from '../../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../../test/fixtures/databases.ts'
import {
  attach,
  monthsRead,
  prepare,
  readLong,
  retire,
  stateOf,
  storeMonths,
} from '../../../test/fixtures/old-months.ts'
import { sql } from '../../sql/index.ts'
import { datasetVersion } from '../../storage/index.ts'
import type { Database } from '../../storage/index.ts'

const patience = { timeout: 60_000 }

describeOn('postgresql', 'A month that is being retired', () => {
  let clone: TestDatabase
  let database: Database
  /** The same database with a statement timeout of 1.5 s. */
  let hasty: Database
  beforeEach(async () => {
    clone = await cloneDatabase('postgresql')
    database = await openTestDatabase(clone.settings)
    hasty = await openTestDatabase({ ...clone.settings, HUB_STATEMENT_TIMEOUT: 1500 })
    await prepare(database)
    await storeMonths(database, ['2024-01', '2024-02', '2024-03', '2026-11'])
  })
  afterEach(async () => {
    await Promise.all([database.close(), hasty.close()])
    await clone.drop()
  })
  const version = () => datasetVersion(database, 'timeseries/P')

  it('delays later months, and a later run retires all of them', async () => {
    const long = readLong(database)
    await long.begun
    const waiting = [
      { name: 'measurement_2024_01', outcome: 'waiting' },
      { name: 'measurement_2024_02', outcome: 'waiting' },
    ]
    expect(await retire(hasty, '2024-03')).toEqual(waiting)
    expect(await retire(hasty, '2024-03')).toEqual(waiting)
    expect(await stateOf(database, '2024-02')).toBe('attached')
    await long.letGo()
    expect(await retire(hasty, '2024-03')).toMatchObject([
      { outcome: 'detach' },
      { outcome: 'detach' },
    ])
    expect(await monthsRead(database)).toEqual(['2024-03', '2026-11'])
  })

  it('is completed before an older one is started', async () => {
    const long = readLong(database)
    await long.begun
    const detach = sql`alter table measurement detach partition measurement_2024_02 concurrently`
    await expect(hasty.execute(detach)).rejects.toMatchObject({ code: 'HUB-SRV-003' })
    expect(await retire(hasty, '2024-02')).toEqual([
      { name: 'measurement_2024_02', outcome: 'waiting' },
      { name: 'measurement_2024_01', outcome: 'waiting' },
    ])
    await long.letGo()
    expect(await retire(hasty, '2024-02')).toHaveLength(2)
    expect(await stateOf(database, '2024-01')).toBe('detached')
  })

  it('changes the dataset version during earlier reads, and a second run does not', async () => {
    const before = await version()
    const long = readLong(database)
    await long.begun
    const run = retire(database, '2024-02')
    await vi.waitFor(async () => {
      expect(await version()).not.toBe(before)
    }, patience)
    expect(await stateOf(database, '2024-01')).toBe('detaching')
    await long.letGo()
    expect(await run).toMatchObject([{ outcome: 'detach' }])
    const after = await version()
    expect(await retire(database, '2024-02')).toEqual([])
    expect(await version()).toBe(after)
  })

  it('changes the dataset version in the next run if one ended between its steps', async () => {
    const before = await version()
    const transaction: Database['transaction'] = async (work, limits) => {
      if ((await stateOf(database, '2024-01')) !== 'attached') throw new Error('The process ends.')
      return database.transaction(work, limits)
    }
    await expect(retire({ ...database, transaction }, '2024-02')).rejects.toThrow('ends')
    expect(await stateOf(database, '2024-01')).toBe('detached')
    expect(await version()).toBe(before)
    expect(await retire(database, '2024-02')).toEqual([
      { name: 'measurement_2024_01', outcome: 'detach' },
    ])
    expect(await version()).not.toBe(before)
    expect(await retire(database, '2024-02')).toEqual([])
  })

  it('is detached even if recording its days exceeds the statement timeout', async () => {
    await database.execute(sql`
      create function take_time() returns trigger language plpgsql as
        $$ begin perform pg_sleep(2); return null; end $$`)
    await database.execute(sql`
      create trigger slow after insert on rollup_stale
        for each statement execute function take_time()`)
    expect(await retire(hasty, '2024-02')).toMatchObject([{ outcome: 'detach' }])
  })

  it('is reported as busy and left unchanged while the tables are locked', async () => {
    const holding = Promise.withResolvers<undefined>()
    const held = Promise.withResolvers<undefined>()
    const other = database.transaction(async (tx) => {
      await tx.execute(sql`lock table only measurement in share update exclusive mode`)
      held.resolve(undefined)
      await holding.promise
    })
    await held.promise
    const before = await version()
    expect(await retire(hasty, '2024-03')).toMatchObject([{ outcome: 'busy' }, { outcome: 'busy' }])
    expect(await stateOf(database, '2024-01')).toBe('attached')
    expect(await version()).toBe(before)
    holding.resolve(undefined)
    await other
    expect(await retire(hasty, '2024-03')).toHaveLength(2)
    expect(await version()).not.toBe(before)
  })

  it('is validated before its attachment blocks others', async () => {
    await database.execute(sql`alter table measurement detach partition measurement_2024_01`)
    let attached: Promise<void> | undefined
    await database.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('measurement partitions'))`)
      attached = attach(hasty, '2024-01')
      await vi.waitFor(async () => {
        expect(
          await tx.query(sql`select from pg_constraint
          where conname = 'within_month' and convalidated`),
        ).toHaveLength(1)
      }, patience)
    })
    await attached
    expect(await monthsRead(database)).toContain('2024-01')
    expect(await retire(database, '2024-02')).toMatchObject([{ outcome: 'detach' }])
    await attach(database, '2024-01')
    expect(await stateOf(database, '2024-01')).toBe('attached')
  })
})
