import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../../test/fixtures/databases.ts'
import { sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { deleteTimeseries } from '../../write/delete-timeseries.ts'
import { storeDataTypes, storeMeasurements } from '../../write/store-measurements.ts'
import { storeStations } from '../../write/store-stations.ts'
import { catalogue, seriesLimits } from './choose-series.ts'
import type { Stages } from './choose-series.ts'
import { rememberChoices } from './remember-choices.ts'

const received = new Date('2026-11-21T10:00:00Z')
const stationType = 'Bay'

const stagesOf = (origin: string): Stages => ({
  series: {
    from: sql`series as x join station as s on s.id = x.station_id`,
    where: sql`s.available and s.origin = ${origin}`,
    order: [sql`s.code`],
  },
  values: { relation: sql`latest`, joins: sql``, range: undefined, where: sql`true` },
})

describeWithDatabase('The series of a request', (database, engine) => {
  const statements: string[] = []
  const watched = (): Queryable => ({
    ...database().read,
    texts: (statement) => {
      statements.push(statement.text)
      return database().read.texts(statement)
    },
  })
  let choose: ReturnType<typeof rememberChoices>

  /** Chooses series as a query does that notices an outdated choice while it reads values. */
  const chooseNow = async (origin: string) => {
    const found = await choose(stagesOf(origin))
    const [row] = await database().texts(sql`select ${catalogue}`)
    return found?.catalogue === row?.[0] ? found : choose(stagesOf(origin), found)
  }
  const chosen = async (origin = 'X') => {
    statements.length = 0
    const found = await chooseNow(origin)
    const isRemembered = !statements.some((text) => text.includes('array_agg'))
    return { count: found?.ids.length, isRemembered }
  }
  const store = (codes: readonly string[], available = true) =>
    database().transaction(async (tx) => {
      const items = codes.map((code) => ({ code, name: code, available }))
      await storeStations(tx, { stationType, origin: 'X', items, received })
    })
  const measure = (station: string, dataType: string, minute: number) =>
    database().transaction((tx) =>
      storeMeasurements(tx, {
        ...{ stationType, period: 60, received },
        provenance: { name: 'p', version: '1', lineage: 'l' },
        items: [[station, dataType, `2026-11-21T09:${String(minute)}:00Z`, minute]],
      }),
    )

  beforeAll(async () => {
    choose = rememberChoices(watched())
    await database().transaction((tx) =>
      storeDataTypes(tx, { items: [{ name: 'free' }, { name: 'taken' }], received }),
    )
    await store(['a', 'b', 'c'])
    for (const code of ['a', 'b']) await measure(code, 'free', 10)
  })

  it('are chosen once and reused while values arrive', async () => {
    expect(await chosen()).toEqual({ count: 2, isRemembered: false })
    expect(await chosen()).toEqual({ count: 2, isRemembered: true })
    await measure('a', 'free', 11)
    expect(await chosen()).toMatchObject({ count: 2, isRemembered: true })
  })

  it('are chosen once for all concurrent requests after a change', async () => {
    await store(['d'])
    statements.length = 0
    const found = await Promise.all(Array.from({ length: 5 }, () => chooseNow('X')))
    expect(found.map((one) => one?.ids.length)).toEqual([2, 2, 2, 2, 2])
    expect(statements.filter((text) => text.includes('array_agg'))).toHaveLength(1)
  })

  it('are chosen separately for other conditions', async () => {
    expect(await chosen('Y')).toMatchObject({ count: 0, isRemembered: false })
    expect(await chosen()).toMatchObject({ count: 2, isRemembered: true })
  })

  it('are chosen again when a series is added or a station changes', async () => {
    await measure('b', 'taken', 12)
    expect(await chosen()).toMatchObject({ count: 3, isRemembered: false })
    await measure('c', 'free', 12)
    expect(await chosen()).toMatchObject({ count: 4, isRemembered: false })
    expect(await chosen()).toMatchObject({ count: 4, isRemembered: true })
    await store(['a'], false)
    expect(await chosen()).toMatchObject({ count: 3, isRemembered: false })
  })

  it('are updated for a station if only a change of its parent is recorded', async () => {
    await store(['mother', 'child'])
    await measure('child', 'many', 40)
    await database().execute(sql`
      update station set parent_id = (select id from station where code = 'mother') where code = 'child'`)
    await chooseNow('X')
    await database().execute(sql`
      insert into change (area, dataset, id, kind)
      values ('timeseries', ${`stations/${stationType}`}, 'mother', 'upsert')`)
    const found = await chooseNow('X')
    const rows = await database().texts(sql`
      select id from station where code in ('mother', 'child')`)
    expect(found?.before?.changed).toEqual(new Set(rows.map(([id]) => id)))
  })

  /** Reports how the choice is updated after this many changes of a station. */
  const followedAfter = async (changes: number, kind = 'upsert') => {
    const before = await chooseNow('X')
    await database().execute(sql`
      insert into change (area, dataset, id, kind)
      select 'timeseries', ${`stations/${stationType}`}, 'b', ${kind} from generate_series(1, ${changes})`)
    statements.length = 0
    const found = await chooseNow('X')
    expect(found?.ids).toEqual(before?.ids)
    return {
      isAnew: isChosenAnew(),
      changed: found?.before?.changed.size,
      count: found?.ids.length,
    }
  }
  const isChosenAnew = () => statements.some((text) => text.includes('as chosen'))

  it('are updated by the changes of their stations unless there are too many', async () => {
    const { count = 0, ...once } = await followedAfter(1)
    expect(once).toEqual({ isAnew: false, changed: 1 })
    const most = 50 + 4 * count
    expect(await followedAfter(most)).toMatchObject({ isAnew: false, changed: 1 })
    expect(await followedAfter(most + 1)).toMatchObject({ isAnew: true, changed: undefined })
  })

  it('are chosen again after a deletion or when a data type is added', async () => {
    expect(await followedAfter(1, 'delete')).toMatchObject({ isAnew: true })
    expect(await followedAfter(1)).toMatchObject({ isAnew: false })
    await database().transaction((tx) =>
      storeDataTypes(tx, { items: [{ name: 'third' }], received }),
    )
    statements.length = 0
    await chooseNow('X')
    expect(isChosenAnew()).toBe(true)
  })

  it('are cached as soon as they are few enough', async () => {
    await store(['crowd'])
    await database().execute(sql`update station set origin = 'many' where code = 'crowd'`)
    await database().execute(sql`
      insert into series (station_id, data_type_id, period, kind)
      select station.id, data_type.id, period, 'text'
      from station, data_type, generate_series(1, ${seriesLimits.others + 1}) as period
      where code = 'crowd' and data_type.name = 'free'`)
    expect(await chooseNow('many')).toBeUndefined()
    statements.length = 0
    expect(await chooseNow('many')).toBeUndefined()
    expect(isChosenAnew()).toBe(false)
    await database().transaction((tx) =>
      deleteTimeseries(tx, {
        ...{ stationType, what: 'series', by },
        items: [{ code: 'crowd', dataType: 'free', period: 1 }],
      }),
    )
    expect((await chooseNow('many'))?.ids).toHaveLength(seriesLimits.others)
  })

  const isAlone = engine === 'embedded'
  const leftOut = isAlone ? ' [left out: the embedded engine has one connection]' : ''
  it.skipIf(isAlone)(
    `are chosen once after a deletion, even during a long transaction${leftOut}`,
    async () => {
      const add = (first: number, last: number) =>
        database().execute(sql`
          insert into series (station_id, data_type_id, period, kind)
          select station.id, data_type.id, period, 'text'
          from station, data_type, generate_series(${first}::integer, ${last}::integer) as period
          where code = 'crowd' and data_type.name = 'free'`)
      await add(seriesLimits.others + 2, seriesLimits.others + 12)
      const long = Promise.withResolvers<undefined>()
      const begun = Promise.withResolvers<undefined>()
      const writes = database().transaction(async (tx) => {
        await tx.execute(sql`select pg_current_xact_id()`)
        begun.resolve(undefined)
        await long.promise
      })
      await begun.promise
      await chooseNow('many')
      await database().transaction((tx) =>
        deleteTimeseries(tx, {
          ...{ stationType, what: 'series', by },
          items: [{ code: 'crowd', dataType: 'free', period: 2 }],
        }),
      )
      const anew = []
      for (let round = 0; round < 3; round++) {
        statements.length = 0
        expect(await chooseNow('many')).toBeUndefined()
        anew.push(isChosenAnew())
      }
      long.resolve(undefined)
      await writes
      expect(anew).toEqual([true, false, false])
    },
  )
})

const by = { subject: 's', name: 'n', client: 'c', request: '00000000-0000-4000-8000-000000000000' }
