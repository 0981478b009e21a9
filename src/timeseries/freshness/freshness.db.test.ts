import type { FastifyInstance } from 'fastify'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../../test/fixtures/test-app.ts'
import { measureGaps } from './count-series.ts'
import { timeseriesRoutes } from '../routes.ts'
import type { MeasurementItem } from '../write/store-values.ts'
import { storeDataTypes, storeMeasurements } from '../write/store-measurements.ts'
import { storeStations } from '../write/store-stations.ts'

type Row = Readonly<Record<string, unknown>>

const now = new Date('2026-11-20T12:00:00Z')
const hour = 3_600_000
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hour).toISOString()
const printed = (hours: number) => hoursAgo(hours).replace('T', ' ').replace('Z', '+0000')
/** Returns values at these numbers of hours before now, all different unless a value is given. */
const values = (
  code: string,
  hours: readonly number[],
  value?: number | string,
): readonly MeasurementItem[] => hours.map((ago) => [code, 't', hoursAgo(ago), value ?? ago])
const hours = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, i) => from - i)
const week = hours(168, 0)

describeWithDatabase('The freshness of series', (database) => {
  let app: FastifyInstance
  const store = (items: readonly MeasurementItem[], period = 3600) =>
    database().transaction((tx) =>
      storeMeasurements(tx, { stationType: 'P', period, received: now, items }),
    )
  const ask = async (query = '', headers: Record<string, string> = {}, types = 'P') => {
    const answer = await app.inject({ url: `/v2/freshness/${types}${query}`, headers })
    expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 })
    return answer.json<{ data: readonly Row[] }>().data
  }
  const of = async (code: string, query = '') => {
    const [row] = await ask(`?where=scode.eq."${code}"${query}`)
    return row
  }
  beforeAll(async () => {
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now: () => now }),
    )
    const codes =
      'whole holes ended young old stuck ahead only loose jitter single daily often before early'.split(
        ' ',
      )
    await database().transaction(async (tx) => {
      const coordinate = [11.35, 46.49] as const
      const parent = { type: 'Up', code: 'up' }
      const items = codes.map((code) => ({
        ...{ code, coordinate },
        ...(code === 'whole' ? { parent } : {}),
      }))
      const up = { stationType: 'Up', received: now, items: [{ code: 'up' }] }
      await storeStations(tx, up)
      await storeStations(tx, { stationType: 'P', origin: 'O', received: now, items })
      const secret = { stationType: 'P', origin: 'C', closed: true }
      await storeStations(tx, { ...secret, received: now, items: [{ code: 'closed' }] })
      await storeDataTypes(tx, { received: now, items: [{ name: 't' }] })
    })
    await store(values('whole', week))
    const withHoles = week.filter((ago) => ago !== 3 && !(ago >= 50 && ago < 60))
    await store(values('holes', withHoles))
    await store(values('ended', hours(168, 30)))
    await store(values('young', hours(11, 0)))
    await store(values('old', hours(400, 300)))
    await store([...values('stuck', hours(168, 41)), ...values('stuck', hours(40, 0), 7)])
    await store([...values('ahead', week), ...values('ahead', [-1, -2, -24 * 365 * 19])])
    await store(values('only', [-5, -6]))
    await store(values('loose', hours(168, 2), 'text'), 0)
    await store(week.map((ago) => ['jitter', 't', hoursAgo(ago + (ago % 3) / 8), ago]))
    await store(values('single', [1]), 0)
    await store(values('daily', [20, 44, 68, 116, 140, 164]), 86_400)
    await store(Array.from({ length: 121 }, (_, i) => ['often', 't', hoursAgo(1 - i / 120), i]))
    await store([...values('before', hours(200, 175)), ...values('before', hours(100, 0))])
    await store(values('closed', week))
    await store([...values('early', [800]), ...values('early', hours(100, 0))])
    await measureGaps(database(), now)
  })
  afterAll(() => app.close())

  it('reports a series without missing values as complete and fresh', async () => {
    expect(await of('whole')).toEqual({
      ...{ stype: 'P', scode: 'whole', sname: 'whole', sorigin: 'O', tname: 't' },
      ...{ mperiod: 3600, kind: 'number', state: 'fresh' },
      mvalidtime: printed(0),
      lag: 0,
      expectedPeriod: 3600,
      expectedBy: 'declared',
      observedPeriod: 3600,
      coverageDay: 1,
      coverageWeek: 1,
      gaps: 0,
      missing: 0,
      futureCount: 0,
      missingHours: 0,
    })
  })

  it('counts missing values and reports the gaps', async () => {
    expect(await of('holes')).toMatchObject({
      gaps: 2,
      missing: 11,
      longestGap: 11 * 3600,
      longestGapFrom: printed(60),
      longestGapTo: printed(49),
      lastGapFrom: printed(4),
      lastGapTo: printed(2),
      coverageDay: 0.9583,
      coverageWeek: 0.9345,
    })
  })

  it('treats missing values at the end as an open gap', async () => {
    const row = await of('ended')
    expect(row).toMatchObject({
      state: 'stale',
      lag: 30 * 3600,
      gaps: 1,
      missing: 29,
      longestGap: 30 * 3600,
      lastGapFrom: printed(30),
      coverageDay: 0,
    })
    expect(row).not.toHaveProperty('lastGapTo')
    expect(await of('old')).toMatchObject({
      state: 'silent',
      coverageDay: 0,
      coverageWeek: 0,
      gaps: 1,
    })
  })

  it('reports a lower coverage, but no gap, before the first value', async () => {
    expect(await of('young')).toMatchObject({ gaps: 0, coverageDay: 0.5, coverageWeek: 0.0714 })
    expect(await of('before')).toMatchObject({
      gaps: 1,
      lastGapFrom: printed(175),
      lastGapTo: printed(100),
    })
  })

  it('counts the missing hours of the last 30 days', async () => {
    const all = await ask('?select=scode,missingHours&limit=-1')
    const missing = Object.fromEntries(all.map(({ scode, missingHours }) => [scode, missingHours]))
    expect(missing).toMatchObject({
      ...{ whole: 0, holes: 10, ended: 17, old: 287, jitter: 0, daily: 24, before: 74, early: 631 },
      ...{ young: undefined, single: undefined },
    })
    const rows = await ask('?select=scode&where=missingHours.gteq.24')
    expect(rows.map(({ scode }) => scode)).toEqual(['before', 'daily', 'early', 'old'])
  })

  it('measures missing hours once a day', async () => {
    await store(values('holes', [55]))
    await measureGaps(database(), now)
    expect(await of('holes')).toMatchObject({ missingHours: 10 })
    await measureGaps(database(), new Date(now.getTime() + 24 * hour))
    expect(await of('holes')).toMatchObject({ missingHours: 9 + 1 + 11 })
  })

  it('reports series whose numbers no longer change', async () => {
    expect(await of('stuck')).toMatchObject({ stuckSince: printed(40), stuckCount: 41 })
    expect(await of('whole')).not.toHaveProperty('stuckSince')
    expect(await of('loose')).not.toHaveProperty('stuckSince')
    const found = (where: string) => ask(`?select=scode&where=${where}`)
    expect(await found('stuckCount.gt.20')).toEqual([{ scode: 'stuck' }])
    expect(await found(`stuckSince.lt.${hoursAgo(39)}`)).toEqual([{ scode: 'stuck' }])
  })

  it('counts values in the future, but otherwise ignores them', async () => {
    expect(await of('ahead')).toMatchObject({
      state: 'fresh',
      mvalidtime: printed(0),
      lag: 0,
      futureCount: 3,
      futureUntil: printed(-24 * 365 * 19),
    })
    const only = await of('only')
    expect(only).toMatchObject({ state: 'silent', futureCount: 2, coverageWeek: 0 })
    expect(only).not.toHaveProperty('lag')
  })

  it('observes the period if none is declared and there are enough values', async () => {
    expect(await of('loose')).toMatchObject({
      mperiod: 0,
      expectedPeriod: 3600,
      expectedBy: 'observed',
      state: 'fresh',
      lag: 7200,
      gaps: 1,
      missing: 1,
    })
    const single = await of('single')
    expect(single).toMatchObject({ state: 'fresh', gaps: 0 })
    for (const name of ['expectedPeriod', 'expectedBy', 'coverageDay'])
      expect(single).not.toHaveProperty(name)
  })

  it('tolerates jitter, and does not count extra values for missing ones', async () => {
    expect(await of('jitter')).toMatchObject({ gaps: 0, coverageDay: 1, coverageWeek: 1 })
    expect(await of('often')).toMatchObject({ observedPeriod: 30, coverageDay: 0.0833 })
    expect(await of('daily')).toMatchObject({
      coverageDay: 1,
      coverageWeek: 0.8571,
      gaps: 1,
      missing: 1,
    })
  })

  it('leaves out series that the caller may not see', async () => {
    expect(await of('closed')).toBeUndefined()
    const seen = await ask('?where=scode.eq."closed"', { authorization: 'Bearer closed' })
    expect(seen).toMatchObject([{ scode: 'closed', state: 'fresh' }])
    const counted = await ask('?select=sorigin,count(lag)')
    expect(counted).toMatchObject([{ sorigin: 'O' }])
    const { headers } = await app.inject('/v2/freshness/P')
    expect(headers['x-withheld']).toBe('records;reason=no-token')
  })

  it('can be filtered and aggregated, also by computed fields', async () => {
    const codes = async (where: string) =>
      (await ask(`?select=scode&where=${where}`)).map(({ scode }) => scode)
    expect(await codes('state.in.("stale","silent")')).toEqual(['ended', 'old', 'only'])
    expect(await codes('coverageWeek.lt.0.5,lag.lt.7200')).toEqual(['often', 'young'])
    expect(await codes('sname.re."^h",tname.eq."t"')).toEqual(['holes'])
    expect(
      await ask('?select=state,count(gaps),max(coverageWeek)&where=scode.in.("whole","old")'),
    ).toEqual([
      { state: 'silent', 'count(gaps)': 1, 'max(coverageWeek)': 0 },
      { state: 'fresh', 'count(gaps)': 1, 'max(coverageWeek)': 1 },
    ])
  })

  it('shows and tests fields of the parent station', async () => {
    expect(await of('whole', '&select=*')).toMatchObject({ pcode: 'up', state: 'fresh', gaps: 0 })
    expect(await of('holes', '&select=scode,sparent')).toEqual({ scode: 'holes' })
    for (const week of ['', ',gaps.eq.0'])
      expect(await ask(`?select=scode,pcode&where=pcode.eq."up"${week}`)).toEqual([
        { scode: 'whole', pcode: 'up' },
      ])
  })

  it('supports pages, formats and time zones', async () => {
    const whole = await ask('?limit=-1')
    const pages = [
      await ask('?limit=5'),
      await ask('?limit=5&offset=5'),
      await ask('?limit=-1&offset=10'),
    ]
    expect(pages.flat()).toEqual(whole)
    const csv = await app.inject('/v2/freshness/P?format=csv&limit=-1')
    const table: readonly Row[] = parse(csv.body, { columns: true, record_delimiter: '\r\n' })
    expect(table.map(({ scode, gaps }) => [scode, Number(gaps)])).toEqual(
      whole.map(({ scode, gaps }) => [scode, gaps]),
    )
    expect(await of('whole', '&timezone=Europe/Rome')).toMatchObject({
      mvalidtime: '2026-11-20 13:00:00.000+0100',
    })
    const map = await app.inject('/v2/freshness/P?format=geojson&limit=1&select=state')
    expect(map.json()).toMatchObject({ features: [{ geometry: { coordinates: [11.35, 46.49] } }] })
  })

  it('has an ETag and rejects invalid parameters', async () => {
    const { headers } = await app.inject('/v2/freshness/*')
    const again = await app.inject({
      url: '/v2/freshness/*',
      headers: { 'if-none-match': String(headers['etag']) },
    })
    expect(again.statusCode).toBe(304)
    const statusOf = async (query: string) =>
      (await app.inject(`/v2/freshness/P${query}`)).statusCode
    expect(await statusOf('?where=mvalue.gt.5')).toBe(400)
    expect(await statusOf('?limit=0')).toBe(400)
    expect(await statusOf('?select=nothing')).toBe(400)
    expect(await statusOf('?timezone=foo')).toBe(400)
    expect(await ask('', {}, 'NoSuchType')).toEqual([])
    const strict = { prefer: 'handling=strict' }
    const unknown = await app.inject({ url: '/v2/freshness/P?distinct=true', headers: strict })
    expect(unknown.statusCode).toBe(400)
  })
})
