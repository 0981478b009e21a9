import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOnBothEngines, useDatabase } from '../../../test/fixtures/databases.ts'
import { operator, stateOf } from '../../../test/fixtures/old-months.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../../test/fixtures/test-app.ts'
import { folderStore } from '../../exports/index.ts'
import { sql } from '../../sql/index.ts'
import { watchStatements } from '../../storage/index.ts'
import type { Database } from '../../storage/index.ts'
import { exportTimeseries } from '../export-timeseries.ts'
import { attachPartition, retireBy } from '../partitions/index.ts'
import { fillRollups, rebuildRollups, refreshMonth } from '../rollups/keep-rollups.ts'
import { timeseriesRoutes } from '../routes.ts'
import { deleteTimeseries } from '../write/delete-timeseries.ts'
import type { MeasurementItem } from '../write/store-values.ts'
import { storeDataTypes, storeMeasurements } from '../write/store-measurements.ts'
import { storeStations } from '../write/store-stations.ts'
import { openColdMonths, evictUnused } from './cold-months.ts'
import type { ColdMonths } from './cold-months.ts'

const received = new Date('2026-11-20T12:00:00.123Z')
const write = { stationType: 'P', origin: 'O', received }

/** Stores values of all kinds in three months, every six hours and at odd times. */
async function fill(database: Database): Promise<void> {
  const times = Array.from({ length: 360 }, (_, index) => index * 6 * 3_600_000)
  const at = (time: number) => new Date(Date.UTC(2024, 0, 1) + time).toISOString()
  const regular = ['a', 'b'].flatMap((code) =>
    times.map((time, index): MeasurementItem => [code, 'number', at(time), index / 8]),
  )
  const odd: readonly MeasurementItem[] = [
    ['a', 'odd', '2024-01-31T23:59:59.999999Z', -0],
    ['a', 'odd', '2024-02-01T00:00:00.000001Z', 1.7976931348623157e308],
    ['a', 'text', '2024-01-15T12:00:00.5Z', 'so "open", \\N {null}\n, grün'],
    ['b', 'json', '2024-02-15T12:00:00Z', { level: [1, 'x', null], big: 12345678901234567890 }],
  ]
  await database.transaction(async (tx) => {
    await storeStations(tx, { ...write, items: [{ code: 'a', name: 'A' }, { code: 'b' }] })
    const names = ['number', 'odd', 'text', 'json']
    await storeDataTypes(tx, { received, items: names.map((name) => ({ name })) })
    await storeMeasurements(tx, { ...write, period: 600, items: [...regular, ...odd] })
  })
}

const wide = '2024-01-01/2024-04-01'
const requests = [
  `/v2/flat/*/*/${wide}?limit=-1&shownull=true`,
  `/v2/flat/P/*/${wide}?limit=20&offset=190&select=mvalue,scode,mvalidtime,mtransactiontime`,
  `/v2/tree/P/*/${wide}?limit=-1`,
  `/v2/flat/P/number/${wide}?limit=-1&where=mvalue.gt.11,scode.eq."b"`,
  `/v2/flat/P/number/${wide}?limit=-1&where=or(mvalue.gt.50,scode.eq."b")`,
  `/v2/flat/P/number/${wide}?select=scode,count(mvalue),avg(mvalue)`,
  `/v2/flat/P/number/${wide}?bucket=7d&agg=avg,min,max,count,first&limit=-1`,
  `/v2/flat/P/number/${wide}?points=20&limit=-1`,
  `/v2/flat/P/number/${wide}?bucket=1d&agg=sum,count&limit=-1`,
  `/v2/tree/P/number/2024-01-10T06:30:00Z/${wide.slice(11)}?bucket=12h&agg=max&limit=-1`,
  `/v2/flat/P/number/${wide}?bucket=1d&points=10&limit=-1`,
  `/v2/flat/P/*/2024-01-31T18:00:00Z/2024-02-01T06:00:00Z?format=csv`,
  `/v2/flat/P/number/${wide}?format=parquet&limit=-1`,
  `/v2/flat/P/*`,
]

describeOnBothEngines('Cold months', (engine) => {
  const database = useDatabase(engine)
  let folder = ''
  let before: readonly string[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-cold-test-'))
    await fill(database())
    await fillRollups(database(), () => false)
    before = await answers()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Opens cold months as another node would, with nothing cached. */
  const open = (on = database(), most = 1000): ColdMonths =>
    openColdMonths({ database: on, store: folderStore(folder), most })
  const ask = async (url: string, cold = open()) => {
    const now = () => received
    const app = await createTestApp(
      timeseriesRoutes({ database: database(), cold, publicUrl, visibilityOf, now }),
    )
    const { statusCode, rawPayload } = await app.inject({ url })
    await app.close()
    return { status: statusCode, body: rawPayload.toString('latin1') }
  }
  const answers = () => Promise.all(requests.map(async (url) => (await ask(url)).body))
  const retire = (before: string, cold = open(), on = database()) =>
    retireBy(on, { firstKept: before, retirement: 'parquet', cold }, operator)
  const attach = (month: string) =>
    attachPartition(database(), month, { firstKept: undefined, cold: open(), by: operator })
  const evict = () => evictUnused(database(), -1)
  const exported = async () => {
    const lines: string[] = []
    for await (const line of exportTimeseries(database(), 'measurements', open())) lines.push(line)
    return lines
  }
  const rowsIn = async (month: string) => {
    const rows = await database().query<{ rows: number }>(sql`
      select count(*)::integer as rows from measurement
      where to_char(valid_time at time zone 'UTC', 'YYYY-MM') = ${month} group by series_id order by series_id`)
    return rows.map(({ rows: count }) => count)
  }

  it('stay attached with all values if the process ends while freezing them', async () => {
    for (const last of [0, 1, 20, 33]) {
      let count = 0
      const transaction: Database['transaction'] = (work, limits) =>
        count++ < last
          ? database().transaction(work, limits)
          : Promise.reject(new Error('The process ends.'))
      const dying = { ...database(), transaction }
      await expect(open(dying).freeze('2024-01')).rejects.toThrow('ends')
    }
    expect(await stateOf(database(), '2024-01')).toBe('attached')
    expect(await rowsIn('2024-01')).toHaveLength(4)
  })

  it('are not created if values change meanwhile or the file reads back differently', async () => {
    const store = folderStore(folder)
    const known = await readdir(folder)
    const change = (number: number) =>
      database().execute(
        sql`update measurement set number = ${number} where valid_time = '2024-01-01'`,
      )
    const transaction: Database['transaction'] = async (work, limits) => {
      await change(1)
      return database().transaction(work, limits)
    }
    const changing = open({ ...database(), transaction })
    await expect(changing.freeze('2024-01')).rejects.toThrow('does not hold what its table holds')
    await change(0)
    const read: typeof store.read = async (name, from, to) => {
      const part = await store.read(name, from, to)
      new Uint8Array(part).fill(0, 100, 130)
      return part
    }
    const faulty = openColdMonths({ database: database(), store: { ...store, read } })
    await expect(faulty.freeze('2024-01')).rejects.toMatchObject({ code: 'HUB-SRV-009' })
    expect(await readdir(folder)).toEqual(known)
    expect(await stateOf(database(), '2024-01')).toBe('attached')
  })

  it('return the same responses before and after their values leave the table', async () => {
    // A change made in SQL is not recorded, so these aggregates no longer match the values.
    await database().execute(sql`update rollup_day set sum = 1000 where start < '2024-02-01Z'`)
    expect(await retire('2024-03')).toEqual([
      { name: 'measurement_2024_01', outcome: 'parquet' },
      { name: 'measurement_2024_02', outcome: 'parquet' },
    ])
    expect(await stateOf(database(), '2024-02')).toBe('cold')
    expect(await retire('2024-03')).toEqual([])
    expect(await answers()).toEqual(before)
    const lines = await exported()
    await evict()
    expect([await rowsIn('2024-01'), await rowsIn('2024-02')]).toEqual([[], []])
    for (const [place, url] of requests.entries()) {
      expect((await ask(url)).body).toBe(before[place])
      await evict()
    }
    expect(await exported()).toEqual(lines)
    expect(await answers()).toEqual(before)
  })

  it('restore only the series that a request reads, and refuse too many values', async () => {
    await evict()
    const cold = open(database(), 124)
    const day = '/v2/flat/P/number/2024-01-10/2024-01-11?where=scode.eq."a"'
    expect(await ask(day, cold)).toMatchObject({ status: 200 })
    expect([await rowsIn('2024-01'), await rowsIn('2024-02')]).toEqual([[124], []])
    expect(await ask(`/v2/flat/P/number/${wide}`, cold)).toMatchObject({
      status: 400,
      body: expect.stringContaining('HUB-QRY-001'),
    })
  })

  it('restore nothing of a month that starts where the range ends', async () => {
    await evict()
    const january = '/v2/flat/P/number/2024-01-01/2024-02-01?limit=-1'
    const cold = open(database(), 248)
    for (const url of [january, `${january}&bucket=15m`, `${january}&points=5`]) {
      expect(await ask(url, cold)).toMatchObject({ status: 200 })
      expect([await rowsIn('2024-01'), await rowsIn('2024-02')]).toEqual([[124, 124], []])
    }
  })

  it('restore nothing if rollups suffice, otherwise only what those do not cover', async () => {
    const year = '/v2/flat/P/number/2023-06-01/2024-06-01?limit=-1'
    const broughtBy = async (url: string) => {
      await evict()
      expect(await ask(url)).toMatchObject({ status: 200 })
      return [(await rowsIn('2024-01')).length, (await rowsIn('2024-02')).length]
    }
    expect(await broughtBy(`${year}&bucket=1d`)).toEqual([0, 0])
    const days = await ask(`${year}&bucket=1d`)
    await rebuildRollups(database())
    expect(await broughtBy(`${year}&bucket=1d`)).toEqual([0, 0])
    // As a second node would do it.
    await refreshMonth(database(), '2024-01')
    expect(await ask(`${year}&bucket=1d`)).toEqual(days)
    expect(await broughtBy(`${year}&bucket=1mo&agg=min&timezone=Europe/Rome`)).toEqual([0, 0])
    expect(await broughtBy(`${year}&bucket=1d&points=5`)).toEqual([0, 0])
    expect(await broughtBy(`${year}&bucket=15m`)).toEqual([2, 2])
    expect(await broughtBy(`${year}&bucket=1d&agg=last`)).toEqual([2, 2])
    expect(await broughtBy(`${year}&bucket=1d&where=mvalue.gt.3`)).toEqual([2, 2])
    const edge = '/v2/flat/P/number/2024-01-01/2024-02-10T00:30:00Z?limit=-1&bucket=1d'
    expect(await broughtBy(edge)).toEqual([0, 2])
    await database().execute(sql`
      insert into rollup_stale (series_id, day) select series.id, '2024-01-07' from series, data_type
      where data_type.id = data_type_id and data_type.name = 'number' order by 1 limit 1`)
    expect(await broughtBy(`${year}&bucket=1d`)).toEqual([1, 0])
    await database().execute(sql`delete from rollup_stale`)
    // Values that are back in the table may have changed there.
    const counts = `${year}&bucket=1d&agg=count&select=mvalidtime`
    expect(await broughtBy(`${year}&bucket=15m`)).toEqual([2, 2])
    await database().execute(sql`update rollup_day set count = 1000 where start < '2024-03-01Z'`)
    expect((await ask(counts)).body).toContain('1000')
    await rebuildRollups(database())
    expect((await ask(counts)).body).not.toContain('1000')
  })

  it('reject new values, and keep a restored value that was changed', async () => {
    const items: readonly MeasurementItem[] = [['a', 'number', '2024-01-05T00:00:01Z', 1]]
    await database().execute(sql`delete from measurement_retention`)
    const outcome = await database().transaction((tx) =>
      storeMeasurements(tx, { ...write, period: 600, items }),
    )
    expect(outcome.rejected).toMatchObject([{ reason: expect.stringContaining('retired month') }])
    await ask(`/v2/flat/P/number/${wide}`)
    await database().execute(sql`
      update measurement set number = 5 where valid_time = '2024-01-05' and series_id = 1`)
    await evict()
    expect(await rowsIn('2024-01')).toEqual([124])
    const one = '/v2/flat/P/number/2024-01-05/2024-01-05T01:00:00Z?select=mvalue'
    expect(await ask(one)).toMatchObject({ body: expect.stringContaining('"mvalue":5') })
  })

  it('fail without affecting other months if their file is damaged or missing', async () => {
    await evict()
    const name = (await readdir(folder)).find((file) => file.startsWith('2024-02')) ?? ''
    const path = join(folder, name)
    const whole = await readFile(path)
    const day = '/v2/flat/P/*/2024-02-10/2024-02-16'
    const damaged = Buffer.from(whole)
    damaged.fill(7, 20, 200)
    for (const spoil of [() => writeFile(path, damaged), () => rm(path)]) {
      await spoil()
      const { status, body } = await ask(day)
      expect([status, body]).toEqual([503, expect.stringMatching(/HUB-SRV-009.*urn:uuid:/)])
      expect(await ask(day.replaceAll('2024-02', '2024-01'))).toMatchObject({ status: 200 })
    }
    await writeFile(path, whole)
    expect(await ask(day)).toMatchObject({ status: 200 })
  })

  it('allow a deletion only of whole months and not if it is older than the file', async () => {
    await evict()
    const by = operator
    const remove = (to: string, message?: { readonly received: Date }) =>
      database().transaction((tx) => {
        const items = [{ code: 'b', dataType: 'number', from: '2024-02-01T00:00:00Z', to }]
        return deleteTimeseries(tx, {
          stationType: 'P',
          what: 'measurements',
          items,
          by,
          ...message,
        })
      })
    expect(await remove('2024-02-10T00:00:00Z')).toMatchObject({
      rejected: [{ index: 0, reason: expect.stringContaining('cuts through 2024-02') }],
      measurements: 0,
    })
    const older = { received: new Date(received.getTime() - 1) }
    expect(await remove('2024-03-01T00:00:00Z', older)).toMatchObject({
      rejected: [{ index: 0, reason: expect.stringContaining('older than the file of 2024-02') }],
      measurements: 0,
    })
    expect(await remove('2024-03-01T00:00:00Z')).toMatchObject({ rejected: [], measurements: 116 })
    const february = '/v2/flat/P/number/2024-02-01/2024-03-01?limit=-1&select=count(mvalue)'
    expect(await ask(february)).toMatchObject({ body: expect.stringContaining('116') })
  })

  it('refuse a deletion that would leave their value as the newest of a series', async () => {
    await evict()
    const remove = (code: string, dataType: string, from?: string) =>
      database().transaction((tx) => {
        const items = [{ code, dataType, from }]
        return deleteTimeseries(tx, { stationType: 'P', what: 'measurements', items, by: operator })
      })
    const latest = () =>
      database().texts(sql`
      select number from latest join series on id = series_id and kind = 'number'
      join station on station.id = station_id and code = 'a' order by 1`)
    const audit = () => database().texts(sql`select count(*) from audit where operation = 'Delete'`)
    const [known, noted] = [await latest(), await audit()]
    expect(await remove('a', 'number', '2024-03-01T00:00:00Z')).toMatchObject({
      rejected: [{ index: 0, reason: expect.stringContaining('one of 2024-02') }],
      measurements: 0,
    })
    expect([await latest(), await audit()]).toEqual([known, noted])
  })

  it('are attached again with all values, after which their file is deleted', async () => {
    await evict()
    await attach('2024-01')
    await attach('2024-02')
    expect(await stateOf(database(), '2024-02')).toBe('attached')
    expect(await rowsIn('2024-01')).toEqual([124, 1, 1, 124])
    expect(await rowsIn('2024-02')).toEqual([116, 1, 1])
    const isOf = expect.stringMatching(/^2024-02/)
    await open().evict()
    expect(await readdir(folder)).toContainEqual(isOf)
    await database().execute(sql`update cold_leftover set since = since - interval '25 hours'`)
    await open().evict()
    expect(await readdir(folder)).not.toContainEqual(isOf)
    await expect(attach('2024-02')).rejects.toThrow('attached already')
  })

  it('count towards the limit on points as they did before', async () => {
    const items = ['2000-01-01T00:00:00Z', '2024-03-01T00:00:00Z'].map((time): MeasurementItem => [
      'a',
      'odd',
      time,
      1,
    ])
    await database().execute(sql`delete from measurement_retention`)
    await database().transaction((tx) => storeMeasurements(tx, { ...write, period: 1, items }))
    const points = '/v2/flat/P/odd/1999-01-01/2030-01-01?bucket=1y&points=5'
    expect(await ask(points)).toMatchObject({ status: 400 })
    await open().freeze('2000-01')
    await evict()
    expect(await ask(points)).toMatchObject({ status: 400 })
  })

  if (engine === 'postgresql')
    it('lose no values if some are deleted while the month leaves the table', async () => {
      const january =
        '/v2/flat/P/number/2024-01-01/2024-02-01?limit=-1&select=count(mvalue)&where=scode.eq."b"'
      await open().freeze('2024-01')
      const isLooked = Promise.withResolvers<undefined>()
      const evicted = isLooked.promise.then(evict)
      const watched = watchStatements(database(), async (statement, work) => {
        const result = await work()
        if (statement.text.includes('cold_series')) {
          isLooked.resolve(undefined)
          await Promise.race([evicted, setTimeout(500)])
        }
        return result
      })
      await watched.transaction((tx) => {
        const items = [{ code: 'b', dataType: 'number', to: '2024-01-02T00:00:00Z' }]
        return deleteTimeseries(tx, { stationType: 'P', what: 'measurements', items, by: operator })
      })
      await evicted
      expect(await ask(january)).toMatchObject({ body: expect.stringContaining('120') })
    })
})
