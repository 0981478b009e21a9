import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { fillWithStations, received } from '../../test/fixtures/expression-stations.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Profile } from './parameters.ts'
import { timeseriesRoutes } from './routes.ts'
import { storeStations } from './write/store-stations.ts'

type Answer = { readonly status: number; readonly body: unknown }

describeWithDatabase('where and select over HTTP', (database) => {
  const apps: Partial<Record<Profile, FastifyInstance>> = {}
  beforeAll(async () => {
    await fillWithStations(database())
    const basis = { database: database(), publicUrl, visibilityOf, now: () => received }
    apps.strict = await createTestApp(timeseriesRoutes(basis))
    apps.compatible = await createTestApp(timeseriesRoutes({ ...basis, profile: 'compatible' }))
  })
  afterAll(() => Promise.all(Object.values(apps).map((app) => app.close())))

  const ask = async (url: string, profile: Profile = 'strict', headers = {}): Promise<Answer> => {
    const answer = await apps[profile]?.inject({ url, headers })
    return { status: answer?.statusCode ?? 0, body: answer?.json() }
  }
  const dataOf = async (url: string, headers = {}) => {
    const { status, body } = await ask(url, 'strict', headers)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }
  const data = (value: unknown) => expect.objectContaining({ data: value })

  it('selects fields, paths and elements, nested in the tree and by name in flat', async () => {
    const paths = 'scode,smetadata.addr.cap,smetadata.plugs.0.kW'
    expect(await dataOf(`/v2/flat/P?select=${paths}`)).toEqual(
      data([
        { scode: 'a', 'smetadata.addr.cap': 39100, 'smetadata.plugs.0.kW': 22.5 },
        { scode: 'b' },
        { scode: 'c' },
      ]),
    )
    const stations = { a: { smetadata: { 'addr.cap': 39100 } }, b: {}, c: {} }
    expect(await dataOf('/v2/tree/P?select=smetadata.addr.cap')).toEqual(data({ P: { stations } }))
  })

  it('leaves out flat rows without any shown field, unless nulls are shown', async () => {
    expect(await dataOf('/v2/flat/P?select=smetadata.addr.x')).toEqual(data([]))
    expect(await dataOf('/v2/flat/P?select=scode,smetadata.no&shownull=1&limit=1')).toEqual(
      data([{ scode: 'a', 'smetadata.no': null }]),
    )
    expect(await dataOf('/v2/tree/P?select=scode,pcode&shownull=yes&where=scode.eq."b"')).toEqual(
      data({ P: { stations: { b: { scode: 'b', sparent: { pcode: null } } } } }),
    )
  })

  it('selects whole groups by their names in the tree, and ignores a suffix', async () => {
    const rows = await dataOf(
      '/v2/flat/P/free/latest?select=scode,sdatatypes.free&where=scode.eq."b"',
    )
    const shown = { scode: 'b', tname: 'free', mvalue: 3, mperiod: 300 }
    expect(rows).toEqual(data([expect.objectContaining(shown)]))
    expect(await dataOf('/v2/tree/P?select=sparent&where=scode.eq."a"')).toEqual(
      data({ P: { stations: { a: { sparent: expect.objectContaining({ pcode: 'up' }) } } } }),
    )
  })

  it('removes duplicate rows by default, but never drops a value', async () => {
    expect(await dataOf('/v2/flat/*?select=stype')).toEqual(data([{ stype: 'P' }, { stype: 'Up' }]))
    expect(await dataOf('/v2/flat/P?select=stype&distinct=false')).toEqual(
      data([{ stype: 'P' }, { stype: 'P' }, { stype: 'P' }]),
    )
    expect(await dataOf('/v2/flat/P/*?select=tname')).toEqual(
      data([{ tname: 'free' }, { tname: 'state' }]),
    )
    const now = '2026-11-20 10:05:00.000+0000'
    expect(await dataOf('/v2/flat/P/free/latest?select=mvalue')).toEqual(
      data([
        { _timestamp: now, mvalue: 3 },
        { _timestamp: now, mvalue: 3 },
      ]),
    )
  })

  it('pages through distinct rows', async () => {
    const page = async (offset: number) =>
      dataOf(`/v2/flat/*/*?select=stype,tname&limit=1&offset=${String(offset)}`)
    expect(await page(0)).toEqual(data([{ stype: 'P', tname: 'free' }]))
    expect(await page(1)).toEqual(data([{ stype: 'P', tname: 'state' }]))
    expect(await page(2)).toEqual(data([]))
  })

  it('computes aggregates of numbers, grouped by the other selected fields', async () => {
    const range = '2026-11-20/2026-11-21'
    const functions = 'min(mvalue),max(mvalue),avg(mvalue),sum(mvalue),count(mvalue)'
    expect(await dataOf(`/v2/flat/P/*/${range}?select=tname,${functions}`)).toEqual(
      data([
        {
          tname: 'free',
          'min(mvalue)': 1,
          'max(mvalue)': 3,
          'avg(mvalue)': 7 / 3,
          'sum(mvalue)': 7,
          'count(mvalue)': 3,
        },
        { tname: 'state', 'count(mvalue)': 2 },
      ]),
    )
    expect(await dataOf(`/v2/tree/P/*/${range}?select=max(mvalue)&where=scode.eq."a"`)).toEqual(
      data({
        P: {
          stations: {
            a: {
              sdatatypes: {
                free: { tmeasurements: [{ 'max(mvalue)': 3 }] },
                state: { tmeasurements: [{}] },
              },
            },
          },
        },
      }),
    )
    expect(await dataOf('/v2/flat/P?select=count(scode),sum(smetadata.addr.cap)')).toEqual(
      data([{ 'count(scode)': 3, 'sum(smetadata.addr.cap)': 39100 }]),
    )
  })

  it.each(['latest', '2026-11-20T10:05/2026-11-21', '2026-11-19/2026-11-21'])(
    'aggregates numbers, and counts texts and JSON as well: %s',
    async (times) => {
      const of = (query: string) => dataOf(`/v2/flat/P/*/${times}?select=${query}`)
      const free = times === '2026-11-19/2026-11-21' ? 3 : 2
      expect(await of('count')).toEqual(data([{ count: free + 2 }]))
      expect(await of('count,count(mvalue),max(mvalue)')).toEqual(
        data([{ count: free + 2, 'count(mvalue)': free + 2, 'max(mvalue)': 3 }]),
      )
      const path = `/v2/flat/P/state/${times}?select=scode`
      expect(await dataOf(`${path},avg(mvalue),count(mvalue),max(mvalue.level)`)).toEqual(
        data([
          { scode: 'a', 'count(mvalue)': 1 },
          { scode: 'b', 'count(mvalue)': 1, 'max(mvalue.level)': 2 },
        ]),
      )
      expect(await dataOf(`${path},avg(mvalue)&shownull=true&limit=1`)).toEqual(
        data([{ scode: 'a', 'avg(mvalue)': null }]),
      )
    },
  )

  it.each(['', '/latest', '/2026-11-20/2026-11-21'])(
    'lists each aggregate of a tree within its group: %s',
    async (times) => {
      const free = times === '/2026-11-20/2026-11-21' ? 2 : 1
      const listed = (...entries: readonly object[]) => ({ tmeasurements: entries })
      const ofB = (entry: object) => ({ sdatatypes: { free: listed(entry), state: listed(entry) } })
      const of = (query: string) => dataOf(`/v2/tree/P/*${times}?select=${query}`)
      for (const one of ['count', 'count(*)', 'count(scode)']) {
        const a = { sdatatypes: { free: listed({ [one]: free }), state: listed({ [one]: 1 }) } }
        const closed = { c: { sdatatypes: { free: listed({ [one]: 1 }) } } }
        const stations = { a, b: ofB({ [one]: 1 }), ...(times === '' ? closed : {}) }
        expect(await of(one)).toEqual(data({ P: { stations } }))
      }
      expect(await of('sname,mperiod,count,avg(mvalue)&where=scode.eq."b"')).toEqual(
        data({
          P: {
            stations: {
              b: {
                sname: 'B',
                sdatatypes: {
                  free: listed({ mperiod: 300, count: 1, 'avg(mvalue)': 3 }),
                  state: listed({ mperiod: 300, count: 1 }),
                },
              },
            },
          },
        }),
      )
    },
  )

  it.each([
    [
      'groupby=sorigin',
      [
        { sorigin: 'OPEN', count: 2 },
        { sorigin: 'SHUT', count: 1 },
      ],
    ],
    [
      'select=sorigin,count',
      [
        { sorigin: 'OPEN', count: 2 },
        { sorigin: 'SHUT', count: 1 },
      ],
    ],
    [
      'groupby=smetadata.city,sorigin&agg=count,avg(smetadata.addr.cap)',
      [
        { 'smetadata.city': 'Bozen', sorigin: 'OPEN', count: 1, 'avg(smetadata.addr.cap)': 39100 },
        { sorigin: 'OPEN', count: 1 },
        { sorigin: 'SHUT', count: 1 },
      ],
    ],
    ['groupby=sorigin&offset=1&limit=1', [{ sorigin: 'SHUT', count: 1 }]],
    ['agg=count(*)&where=scode.neq."b"', [{ 'count(*)': 2 }]],
  ])('groups stations: %s', async (query, expected) => {
    expect(await dataOf(`/v2/flat/P?${query}`)).toEqual(data(expected))
  })

  it('reports what cannot be grouped and which parameters are ignored', async () => {
    const issue = async (query: string) => {
      const { status, body } = await ask(`/v2/flat/P?${query}`)
      return { status, body }
    }
    const refused = (errorCode: string, ...errors: readonly object[]) => ({
      status: 400,
      body: expect.objectContaining({
        errorCode,
        errors: errors.map((one) => expect.objectContaining(one)),
      }),
    })
    expect(await issue('groupby=scode,snam')).toEqual(
      refused('HUB-QRY-009', { parameter: 'groupby', position: 6, hint: 'Did you mean sname?' }),
    )
    expect(await issue('groupby=scode&agg=count,avg(sname)')).toEqual(
      refused('HUB-QRY-009', { parameter: 'agg', position: 6 }),
    )
    const detail = expect.stringContaining('at position 6')
    expect(await issue('groupby=scode&agg=count,median(mvalue)')).toEqual(
      refused('HUB-QRY-009', { parameter: 'agg', position: 6, detail }),
    )
    expect(await issue('agg=mx(sname)')).toEqual(
      refused('HUB-QRY-009', { parameter: 'agg', position: 0, hint: 'Did you mean max?' }),
    )
    expect(await issue('agg=sname')).toEqual(refused('HUB-QRY-001', { parameter: 'agg' }))
    for (const query of ['groupby=count(*)', 'groupby=count', 'groupby=scode,count&agg=count'])
      expect(await issue(query)).toEqual(refused('HUB-QRY-001', { parameter: 'groupby' }))
    const ignored = async (path: string) =>
      (await apps.strict?.inject(path))?.headers['x-ignored-parameters']
    expect(await ignored('/v2/tree/P?groupby=sorigin')).toBe('groupby')
    expect(await ignored('/v2/flat/P?groupby=sorigin&select=scode')).toBe('select')
    const strict = { prefer: 'handling=strict' }
    expect(await ask('/v2/tree/P?groupby=sorigin', 'strict', strict)).toMatchObject({ status: 400 })
  })

  it('never reveals closed values by aggregates, conditions, nulls or duplicates', async () => {
    const guest = await dataOf('/v2/flat/P/free/latest?select=max(mvalue),count(mvalue)')
    expect(guest).toEqual(data([{ 'max(mvalue)': 3, 'count(mvalue)': 2 }]))
    const admin = { authorization: 'Bearer admin' }
    expect(await dataOf('/v2/flat/P/free/latest?select=max(mvalue)', admin)).toEqual(
      data([{ 'max(mvalue)': 1000 }]),
    )
    expect(await dataOf('/v2/flat/P/*?select=max(mvalue)')).toEqual(data([{ 'max(mvalue)': 3 }]))
    expect(await dataOf('/v2/flat/P/*?select=scode&where=mvalue.gt.5')).toEqual(data([]))
    expect(await dataOf('/v2/flat/P/*?select=scode&where=mvalue.gt.5', admin)).toEqual(
      data([{ scode: 'c' }]),
    )
    expect(
      await dataOf('/v2/flat/P/*?select=scode,mvalue&shownull=true&where=scode.eq."c"'),
    ).toEqual(data([{ scode: 'c', mvalue: null }]))
  })

  it('shows the latest value at the depth of data types, and filters by it', async () => {
    expect(await dataOf('/v2/flat/P/*?select=scode,tname,mvalue&where=mvalue.gteq.3')).toEqual(
      data([
        { scode: 'a', tname: 'free', mvalue: 3 },
        { scode: 'b', tname: 'free', mvalue: 3 },
      ]),
    )
    expect(await dataOf('/v2/flat/P/*?select=scode,mvalue.level&where=mvalue.level.eq.2')).toEqual(
      data([{ scode: 'b', 'mvalue.level': 2 }]),
    )
    const tree = await dataOf('/v2/tree/P/free?select=tname&where=scode.eq."a"')
    expect(tree).toEqual(
      data({ P: { stations: { a: { sdatatypes: { free: { tname: 'free' } } } } } }),
    )
  })

  it('combines repeated conditions, and accepts encoded paths and trailing slashes', async () => {
    const both = 'where=sactive.eq.true&where=scode.in.("a","b")'
    expect(await dataOf(`/v2/flat%2Cnode/P%2CUp/?select=scode&${both}`)).toEqual(
      data([{ scode: 'a' }]),
    )
    expect(await dataOf('/v2/flat/%2A/%2A/latest/?select=scode&limit=1')).toEqual(
      data([expect.objectContaining({ scode: 'a' })]),
    )
  })

  it.each([
    ['where=scode.eq.a', 'HUB-QRY-007', { parameter: 'where', position: 9, hint: 'Write "a"' }],
    ['where=scoordinate.bbi(1,2,3,4)', 'HUB-QRY-007', { position: 15 }],
    ['where=scoode.eq."a"', 'HUB-QRY-008', { position: 0, hint: 'Did you mean scode?' }],
    ['where=mvalue.gt.5', 'HUB-QRY-008', { position: 0 }],
    ['where=scode.eq.105', 'HUB-QRY-008', { position: 9, hint: 'As a text it is written "105"' }],
    ['where=scode.gte."a"', 'HUB-QRY-008', { position: 6 }],
    ['where=sactive.eq."true"', 'HUB-QRY-008', { position: 11 }],
    ['where=scode.re."["', 'HUB-QRY-008', { position: 9 }],
    ['where=scode.re."(a)\\\\1"', 'HUB-QRY-008', { position: 9 }],
    ['where=scode.x.eq."1"', 'HUB-QRY-008', { position: 0 }],
    ['where=sparent.eq.null', 'HUB-QRY-008', { position: 0 }],
    ['where=scoordinate.bbi.(1,2,3)', 'HUB-QRY-008', { position: 16 }],
    ['where=scoordinate.dlt.(1,2,3,0.5)', 'HUB-QRY-008', { position: 16 }],
    ['where=scoordinate.dlt.(1,2,3,999998)', 'HUB-QRY-008', { position: 23 }],
    ['where=or(scode.eq."a",scoordinate.bbi.(1,2,3,4,7))', 'HUB-QRY-008', { position: 41 }],
    ['select=scoode', 'HUB-QRY-009', { position: 0, hint: 'Did you mean scode?' }],
    ['select=scode,,sname', 'HUB-QRY-009', { parameter: 'select', position: 6 }],
    ['select=scode.x', 'HUB-QRY-009', { position: 0 }],
    ['select=sdatatypes', 'HUB-QRY-009', { position: 0 }],
    ['select=avg(sname)', 'HUB-QRY-009', { position: 0 }],
    ['distinct=perhaps', 'HUB-QRY-001', { parameter: 'distinct' }],
  ])('refuses %s with %s and reports where the error is', async (query, errorCode, issue) => {
    const { status, body } = await ask(`/v2/flat/P?${query.replaceAll('\\', '%5C')}`)
    expect({ status, body }).toMatchObject({ status: 400, body: { errorCode, code: 400 } })
    expect(body).toMatchObject({ errors: [issue], message: expect.any(String) })
  })

  it('accepts the syntax of existing clients only in the compatible profile', async () => {
    for (const query of ['where=scode.eq.a', 'limit=0']) {
      const url = `/v2/flat/P?select=scode&${query}`
      expect(await ask(url)).toMatchObject({ status: 400 })
      expect(await ask(url, 'compatible')).toMatchObject({ status: 200 })
    }
    expect(await ask('/v2/flat/P?limit=0', 'compatible')).toMatchObject({ body: { limit: 0 } })
    const types = (await ask('/v2/flat', 'compatible')).body
    expect(types).toMatchObject([{ id: 'P', description: null }, { id: 'Up' }])
  })

  it('shows the history of metadata, flat and as a tree', async () => {
    const path = 'P/METADATA/2026-11-20/2026-11-21'
    const version = { mhmetadata: expect.objectContaining({ city: 'Bozen' }) }
    const flat = await dataOf(`/v2/flat/${path}?select=scode,mhmetadata,mhtransactiontime`)
    const recorded = '2026-11-20 12:00:00.000+0000'
    expect(flat).toEqual(data([{ scode: 'a', ...version, mhtransactiontime: recorded }]))
    expect(await dataOf(`/v2/tree/${path}?select=smetadatahistory.city&timezone=%2B02:00`)).toEqual(
      data({
        P: {
          stations: {
            a: {
              smetadatahistory: [{ ...version, mhtransactiontime: '2026-11-20 14:00:00.000+0200' }],
            },
          },
        },
      }),
    )
    expect(await dataOf('/v2/flat/P/metadata/2026-11-21/2026-11-22')).toEqual(data([]))
  })

  it('has an API description in YAML, or in JSON if requested', async () => {
    const yaml = await apps.strict?.inject({ url: '/v2/apispec' })
    expect(yaml?.headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(yaml?.body).toMatch(/^openapi: 3\./)
    const headers = { accept: 'application/json' }
    const { body } = await ask('/v2/apispec', 'strict', headers)
    expect(body).toMatchObject({ servers: [{ url: publicUrl }] })
    expect(body).toHaveProperty(['paths', '/v2/{representation}/{stationTypes}/{dataTypes}/{from}'])
  })

  it('finds stations by their coordinates', async () => {
    expect(
      await dataOf('/v2/flat/P?select=scode&where=scoordinate.bbc.(12,47,11,46,4326)'),
    ).toEqual(data([{ scode: 'a' }]))
    expect(await dataOf('/v2/flat/P?select=scode&where=scoordinate.bbi.(46,11,47,12)')).toEqual(
      data([]),
    )
    const metres = 'scoordinate.dlt.(1000,1263476,5860000,3857)'
    expect(await dataOf(`/v2/flat/P?select=scode&where=${metres}`)).toEqual(data([{ scode: 'a' }]))
  })

  it.each([
    ['scoordinate.bbi.(11.35,46.49,11.35,46.49)', ['a']],
    ['scoordinate.bbc.(11.35,46.49,11.35,46.49,4326)', ['a']],
    ['scoordinate.bbc.(11.35,46,11.35,47)', ['a']],
    ['scoordinate.bbi.(11.35,46.5,11.35,46.5)', []],
  ])('finds stations in a box that is a point or a line: %s', async (where, codes) => {
    expect(await dataOf(`/v2/flat/P?select=scode&where=${where}`)).toEqual(
      data(codes.map((scode) => ({ scode }))),
    )
  })

  it('keeps equal versions of metadata from different times', async () => {
    for (const [hour, name] of ['v1', 'v2', 'v1'].entries()) {
      const items = [{ code: 'a', metadata: { name } }]
      const sent = new Date(Date.UTC(2026, 11, 1, hour))
      await database().transaction((tx) =>
        storeStations(tx, { stationType: 'P', received: sent, items }),
      )
    }
    const versions = ['v1', 'v2', 'v1'].map((name) => ({ mhmetadata: { name } }))
    const path = 'P/metadata/2026-12-01/2026-12-02?select=mhmetadata'
    expect(await dataOf(`/v2/flat/${path}`)).toEqual(data(versions))
    expect(await dataOf(`/v2/tree/${path}`)).toEqual(
      data({ P: { stations: { a: { smetadatahistory: versions } } } }),
    )
    expect(await dataOf(`/v2/flat/${path.replace('mhmetadata', 'scode')}`)).toEqual(
      data([{ scode: 'a' }]),
    )
    expect(await dataOf(`/v2/tree/${path.replace('mhmetadata', 'count')}`)).toEqual(
      data({ P: { stations: { a: { smetadatahistory: [{ count: 3 }] } } } }),
    )
  })
})
