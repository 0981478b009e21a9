import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { levelsApp } from '../../../test/fixtures/levels-app.ts'
import { sql } from '../../sql/index.ts'
import { ofParts } from './aggregates.ts'

const span = '2026-11-20/2026-11-21'
const few = 'select=scode,mvalidtime'
const begun = (time: string) => `2026-11-20 ${time}:00.000+0000`

describeWithDatabase('Buckets of values', (database) => {
  const { get, dataOf, flat } = levelsApp(database)

  it('are averages by default, separately for each series', async () => {
    const found = [
      ['10:00', { scode: 'a', mperiod: 600, 'avg(mvalue)': 2 }],
      ['10:00', { scode: 'a', mperiod: 3600, 'avg(mvalue)': 2 }],
      ['10:00', { scode: 'b', mperiod: 600, 'avg(mvalue)': 5 }],
      ['11:00', { scode: 'a', mperiod: 600, 'avg(mvalue)': 8 }],
    ] as const
    expect(await flat('free', `bucket=1h&${few},mperiod`)).toEqual(
      found.map(([time, row]) => ({ _timestamp: begun(time), mvalidtime: begun(time), ...row })),
    )
  })

  it('include the fields of their series, but no field of a single value', async () => {
    expect(await flat('free', 'bucket=1h&agg=sum,count&limit=1')).toEqual([
      {
        ...{ _timestamp: begun('10:00'), mvalidtime: begun('10:00'), mperiod: 600 },
        ...{ sname: 'A', stype: 'R', scode: 'a', sorigin: 'OPEN', sactive: true, savailable: true },
        ...{ scoordinate: { x: 11.35, y: 46.49, srid: 4326 }, tname: 'free' },
        ...{ 'sum(mvalue)': 4, 'count(mvalue)': 2 },
      },
    ])
  })

  it('replace values in the tree, where limit and offset count buckets', async () => {
    const of = async (page: string) =>
      dataOf(`/v2/tree/R/free/${span}?bucket=1h&agg=max&select=mvalidtime&${page}`)
    const list = (...found: readonly (readonly [string, number])[]) => ({
      tmeasurements: found.map(([time, max]) => ({
        mvalidtime: begun(time),
        'max(mvalue)': max,
      })),
    })
    const ten = ['10:00', 3] as const
    const station = (series: object) => ({ sdatatypes: { free: series } })
    expect(await of('limit=-1')).toEqual({
      R: {
        stations: {
          a: station(list(ten, ['10:00', 2], ['11:00', 8])),
          b: station(list(['10:00', 5])),
        },
      },
    })
    expect(await of('limit=2&offset=1')).toEqual({
      R: { stations: { a: station(list(['10:00', 2], ['11:00', 8])) } },
    })
  })

  it('show aggregates where select names them or mvalue, otherwise at the end', async () => {
    const keysOf = async (query: string) => {
      const rows = await flat('free', `bucket=1d&limit=1&${query}`)
      return Array.isArray(rows) ? Object.keys(rows[0]).slice(1) : []
    }
    expect(await keysOf('select=mvalue,scode&agg=min,max')).toEqual([
      ...['min(mvalue)', 'max(mvalue)', 'scode'],
    ])
    expect(await keysOf('select=last(mvalue),scode')).toEqual(['last(mvalue)', 'scode'])
    expect(await keysOf('select=last(mvalue),scode&agg=avg')).toEqual([
      ...['last(mvalue)', 'scode', 'avg(mvalue)'],
    ])
    expect(await keysOf('select=tmeasurements')).toEqual(['mvalidtime', 'mperiod', 'avg(mvalue)'])
    expect(await keysOf('select=scode,mprovenance,sparent')).toEqual(['scode', 'avg(mvalue)'])
  })

  it('aggregate texts and JSON only by count, first and last', async () => {
    expect(await flat('*', `bucket=1d&${few}&where=tname.eq."state"`)).toEqual([])
    const told = await flat('state', `bucket=1d&agg=avg,count,first,last&${few}`)
    const common = { _timestamp: begun('00:00'), mvalidtime: begun('00:00') }
    const last = { level: 1 }
    expect(told).toEqual([
      {
        ...{ ...common, scode: 'a', 'count(mvalue)': 2 },
        ...{ 'first(mvalue)': 'shut', 'last(mvalue)': 'open' },
      },
      { ...common, scode: 'b', 'count(mvalue)': 1, 'first(mvalue)': last, 'last(mvalue)': last },
    ])
  })

  it('aggregate only the values that match where', async () => {
    const counted = async (where: string) => {
      const rows = await flat('free', `bucket=1d&agg=count&select=scode,mperiod&where=${where}`)
      return Array.isArray(rows)
        ? rows.map((row) => [row['scode'], row['mperiod'], row['count(mvalue)']])
        : []
    }
    expect(await counted('mvalue.gt.2')).toEqual([
      ['a', 600, 2],
      ['b', 600, 1],
    ])
    expect(await counted('scode.eq."a",mperiod.eq.600')).toEqual([['a', 600, 3]])
    expect(await counted('or(scode.eq."b",mvalue.gt.4)')).toEqual([
      ['a', 600, 1],
      ['b', 600, 1],
    ])
    expect(await counted('prname.eq."nobody"')).toEqual([])
  })

  it('leave out values that the caller may not see', async () => {
    const url = `/v2/flat/R/free/${span}?bucket=1d&agg=max&select=scode`
    const open = await get(url)
    expect(open.body).not.toContain('1000')
    expect(open.headers['x-withheld']).toContain('records')
    const closed = await dataOf(url, { authorization: 'Bearer closed' })
    expect(closed).toContainEqual(expect.objectContaining({ scode: 'shut', 'max(mvalue)': 1000 }))
    const all = await dataOf(url, { authorization: 'Bearer admin' })
    expect(all).toEqual(closed)
  })

  it('are available as CSV, NDJSON and GeoJSON', async () => {
    const url = `/v2/flat/R/free/${span}?bucket=1d&agg=max,count&select=scode,mvalidtime&where=scode.eq."b"`
    const csv = await get(`${url}&format=csv`)
    expect(csv.body.split(/\r?\n/).slice(0, 2)).toEqual([
      '_timestamp,scode,mvalidtime,max(mvalue),count(mvalue)',
      `${begun('00:00')},b,${begun('00:00')},5,1`,
    ])
    expect((await get(`${url}&format=ndjson`)).body).toContain('"max(mvalue)":5')
    const geojson = (await get(`${url}&format=geojson`)).json<{ features: readonly object[] }>()
    expect(geojson.features).toMatchObject([{ properties: { 'max(mvalue)': 5 } }])
  })

  it('average huge numbers correctly and leave out sums that exceed a double', async () => {
    const rows = await flat('level', `bucket=1h&agg=avg,sum,max&${few}&where=scode.eq."huge"`)
    expect(rows).toMatchObject([
      { 'avg(mvalue)': 1.7e308, 'max(mvalue)': 1.7e308 },
      { 'sum(mvalue)': 5e-324, 'max(mvalue)': 5e-324 },
    ])
    expect(rows).not.toMatchObject([{ 'sum(mvalue)': expect.anything() }, {}])
  })

  it.each([
    ['19.1', 3, 6.366666666666666],
    ['19.1000000000', 3, 6.366666666666666],
    ['0.600000', 3, 0.2],
    ['-8999999999.999999', 7, -1285714285.7142856],
    ['9000000000.600000', 3, 3000000000.2],
    ['507946455529.751181', 3, 169315485176.58374],
    ['90000000000000000000', 7, 9e19 / 7],
    ['0.000000000019', 7, 0.000000000019 / 7],
    ['1e300', 3, 1e300 / 3],
  ])('compute averages to the last digit of a double: %s / %i', async (total, count, average) => {
    const [row] = await database().query<{ found: number }>(sql`
      select ${ofParts('avg', (time) => time)} as found
      from (values (${total}::text::numeric, ${count}::bigint)) as b (sum, count)`)
    expect(row?.found).toBe(average)
  })

  it('are complete across pages, even if most buckets are empty', async () => {
    const year = '/v2/flat/R/*/2020-01-01/2030-01-01'
    const query = `bucket=1d&agg=count&${few}&where=scode.neq."huge"`
    const whole = await dataOf(`${year}?${query}&limit=-1`)
    expect(whole).toHaveLength(7)
    const pages = []
    for (let offset = 0; offset < 8; offset += 2) {
      pages.push(await dataOf(`${year}?${query}&limit=2&offset=${String(offset)}`))
    }
    expect(pages.flat()).toEqual(whole)
  })
})
