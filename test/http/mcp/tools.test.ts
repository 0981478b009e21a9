import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fieldsOf, objectsOf, textOf } from '../../../src/lang/json.ts'
import type { Members } from '../../../src/lang/json.ts'
import { maxCharacters } from '../../../src/mcp/result.ts'
import { storeBody } from '../../../src/push/index.ts'
import { bearer } from '../../fixtures/composed-hub.ts'
import { describeOnEngines } from '../../fixtures/databases.ts'
import { openMcpHub } from '../../fixtures/mcp-hub.ts'
import type { Answered, McpHub } from '../../fixtures/mcp-hub.ts'
import { pipelines } from '../../fixtures/small-region.ts'

/** A typical first call of each tool by an assistant. */
const calls = [
  ['search_datasets', { query: 'parcheggi' }],
  ['describe_dataset', { dataset: 'timeseries/ParkingStation' }],
  ['query_records', { dataset: 'content/Event', limit: 5 }],
  ['read_record', { dataset: 'timeseries/ParkingStation', id: 'parking-0001' }],
  ['find_nearest', { dataset: 'content/Accommodation', place: 'Bozen', radius: 200_000 }],
  ['latest_values', { stationType: 'ParkingStation', dataTypes: ['free'] }],
  ['time_series', { stationType: 'ParkingStation', dataTypes: ['free'], limit: 20 }],
  ['traffic_now', {}],
  ['group_and_count', { dataset: 'content/Accommodation', groupBy: ['AccoTypeId'] }],
] as const

describeOnEngines('Tools for assistants', (engine) => {
  let mcp: McpHub
  beforeAll(async () => {
    mcp = await openMcpHub(engine, 0.05)
  })
  afterAll(() => mcp.close())

  it('are listed with a description, a schema and a read-only hint', async () => {
    const client = await mcp.connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(calls.map(([name]) => name))
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
      expect(tool.description?.length).toBeGreaterThan(100)
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    }
    expect(JSON.stringify(tools).length).toBeLessThan(maxCharacters)
    expect(client.getInstructions()).toContain('search_datasets')
  })

  it.each(calls)('return a result: %s', async (name, given) => {
    const client = await mcp.connect()
    const result = await client.callTool({ name, arguments: given })
    expect(result.isError).toBeUndefined()
    const { data, text } = await mcp.call(name, given)
    expect(result.content).toEqual([{ type: 'text', text }])
    expect(data['request']).toMatch(/^http:\/\/hub\.test\/(v1|v2|catalogue)/)
    expect(text.length).toBeLessThan(maxCharacters)
  })

  it.each(calls)('name the request that returns the data: %s', async (name, given) => {
    const { data } = await mcp.call(name, given)
    const path = String(data['request']).replace('http://hub.test', '')
    expect((await mcp.hub.ask({ url: path })).statusCode).toBe(200)
  })

  it.each(calls.slice(1))('report licences, time and withheld data: %s', async (name, given) => {
    const { data } = await mcp.call(name, given)
    expect(data).toHaveProperty('licences')
    expect(data).toHaveProperty('updated')
    if (name !== 'read_record') expect(data['withheld']).toMatch(/^Closed records/)
  })

  /** Reads all items, page by page. */
  const readAll = async (name: string, given: object) => {
    const found: unknown[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const { data, items }: Answered = await mcp.call(name, {
        ...given,
        ...(cursor === undefined ? {} : { cursor }),
      })
      const series = objectsOf(data['series']).flatMap(({ scode, values }) =>
        Array.isArray(values) ? values.map((value: unknown) => [scode, value]) : [],
      )
      found.push(...items, ...series)
      pages += 1
      cursor = textOf(data['cursor'])
    } while (cursor !== undefined && pages < 100)
    return { found, pages }
  }

  it.each([
    ['query_records', { dataset: 'Accommodation', limit: 5 }, '/v1/Accommodation?pagesize=1'],
    ['query_records', { dataset: 'Accommodation', fields: ['*'] }, '/v1/Accommodation?pagesize=1'],
    ['traffic_now', { limit: 1 }, '/v1/Announcement?begin=NOW&end=NOW&active=true&pagesize=1'],
    ['group_and_count', { dataset: 'Event', groupBy: ['Id'], limit: 3 }, '/v1/Event?pagesize=1'],
  ])('return every record once, in pages: %s %j', async (name, given, address) => {
    const url = address.replaceAll('NOW', mcp.hub.now().toISOString())
    const { TotalResults: total } = await mcp.read(url)
    const { found, pages } = await readAll(name, given)
    const ids = found.map((item) => JSON.stringify(item))
    expect(new Set(ids).size).toBe(total)
    expect(found).toHaveLength(Number(total))
    expect(pages).toBeGreaterThan(1)
  })

  it.each([
    ['query_records', { dataset: 'ParkingStation', limit: 1 }, 'ParkingStation'],
    ['latest_values', { stationType: 'ParkingStation', limit: 1 }, 'ParkingStation/*/latest'],
    [
      'latest_values',
      { stationType: 'ParkingStation', dataTypes: ['free'], order: 'lowest', limit: 1 },
      'ParkingStation/free/latest',
    ],
    [
      'time_series',
      {
        stationType: 'ParkingStation',
        dataTypes: ['free'],
        from: '2026-11-19',
        to: '2026-11-20',
        limit: 30,
      },
      'ParkingStation/free/2026-11-19/2026-11-20',
    ],
    [
      'time_series',
      {
        stationType: 'ParkingStation',
        dataTypes: ['free'],
        from: '2026-11-19',
        to: '2026-11-20',
        bucket: '1h',
        limit: 7,
      },
      'ParkingStation/free/2026-11-19/2026-11-20?bucket=1h',
    ],
  ])('return every station and value once, in pages: %s %j', async (name, given, path) => {
    const { data } = await mcp.read(
      `/v2/flat,node/${path}${path.includes('?') ? '&' : '?'}limit=-1`,
    )
    const { found, pages } = await readAll(name, given)
    expect(new Set(found.map((item) => JSON.stringify(item))).size).toBe(objectsOf(data).length)
    expect(pages).toBeGreaterThan(1)
  })

  it('find a dataset by words in three languages, and by type in any letter case', async () => {
    for (const query of ['freie Parkplätze', 'parcheggi liberi', 'free car parks']) {
      const { items } = await mcp.call('search_datasets', { query })
      expect(items[0]?.['id']).toBe('timeseries/ParkingStation')
    }
    const { data } = await mcp.call('describe_dataset', { dataset: 'parkingstation' })
    expect(data['id']).toBe('timeseries/ParkingStation')
  })

  it('explain invalid arguments, with the hint of the hub', async () => {
    const refused = async (name: string, given: object) => {
      const { isError, data } = await mcp.call(name, { ...given })
      expect(isError).toBe(true)
      return data
    }
    expect(await refused('query_records', { dataset: 'Acommodation' })).toMatchObject({
      code: 'HUB-RTE-003',
      hint: 'Did you mean Accommodation?',
    })
    expect(await refused('query_records', { limit: 99 })).toMatchObject({ code: 'HUB-QRY-001' })
    const filter = { dataset: 'Event', filter: 'eq(Active,tru' }
    expect(await refused('query_records', filter)).toMatchObject({
      code: 'HUB-QRY-005',
      hint: expect.stringContaining('quotes'),
      request: expect.stringContaining('/v1/Event?rawfilter='),
    })
    const strange = { dataset: 'Event', match: { 'a),or(b': 1 } }
    expect(await refused('query_records', strange)).toMatchObject({ code: 'HUB-QRY-004' })
    expect(await refused('latest_values', { stationType: 'Event' })).toHaveProperty('hint')
    expect(await refused('traffic_now', { place: 'Nowhere at all' })).toHaveProperty('hint')
    // Conditions that the tool cannot apply are refused, so that a model does not believe that they
    // were applied.
    expect(await refused('traffic_now', { longitude: 11.3 })).toHaveProperty('detail')
    expect(await refused('traffic_now', { radius: 1000 })).toHaveProperty('detail')
    const sorted = { dataset: 'ParkingStation', sort: '-sname' }
    expect(await refused('query_records', sorted)).toHaveProperty('hint')
    expect(await refused('group_and_count', sorted)).toHaveProperty('hint')
    const measured = { dataset: 'Accommodation', place: 'Meran', dataTypes: ['free'] }
    expect(await refused('find_nearest', measured)).toHaveProperty('hint')
    expect(await refused('query_records', { dataset: 'Event', limit: '5' })).toMatchObject({
      detail: 'Arguments of query_records: limit must be integer.',
    })
    expect(await refused('traffic_now', { cursor: 'x' })).toHaveProperty('hint')
    expect(
      await refused('latest_values', { stationType: 'ParkingStation', cursor: 'x' }),
    ).toHaveProperty('hint')
    expect(
      await refused('latest_values', { stationType: 'ParkingStation', order: 'lowest' }),
    ).toHaveProperty('hint')
    expect(await refused('find_nearest', { dataset: 'Event' })).toHaveProperty('detail')
    for (const id of ['.', '..']) {
      const other = await refused('read_record', { dataset: 'Event', id })
      expect([id, other]).toMatchObject([id, { code: 'HUB-RTE-003' }])
    }
    expect(await refused('read_record', { dataset: 'ParkingStation', id: 'x' })).toHaveProperty(
      'hint',
    )
    const [half, detail] = ['\ud800', expect.stringContaining('half a surrogate pair')]
    expect(await refused('read_record', { dataset: 'Event', id: half })).toMatchObject({ detail })
    const types = { stationType: 'ParkingStation', dataTypes: [half] }
    expect(await refused('latest_values', types)).toMatchObject({ detail })
  })

  it('count null as a missing argument', async () => {
    const { total } = (await mcp.call('query_records', { dataset: 'Event' })).data
    const given = { dataset: 'Event', match: null, limit: null }
    expect((await mcp.call('query_records', given)).data).toMatchObject({ total })
  })

  it('read the datasets of traffic providers like other records', async () => {
    const dataset = 'traffic/province-bz'
    const { items } = await mcp.call('query_records', { dataset, limit: 1 })
    const { data } = await mcp.call('read_record', { dataset, id: items[0]?.['Id'] })
    expect(data['record']).toMatchObject({ Id: items[0]?.['Id'], Source: 'PROVINCE_BZ' })
    const counted = await mcp.call('group_and_count', { dataset })
    const { TotalResults: total } = await mcp.read('/v1/Announcement?pagesize=1')
    expect(counted.items).toEqual([{ count: total }])
  })

  it.each([
    ['latest_values', { stationType: 'ParkingStation', dataTypes: ['nope'] }],
    ['time_series', { stationType: 'ParkingStation', dataTypes: ['nope'] }],
    ['query_records', { dataset: 'Event', match: { Shortname: 'nope' } }],
  ])('suggest what to do next if nothing matches: %s', async (name, given) => {
    expect((await mcp.call(name, given)).data['notes']).toHaveLength(1)
  })

  it('report parameters that had no effect', async () => {
    const { data } = await mcp.call('query_records', {
      ...{ dataset: 'Event', parameters: { nosuchfilter: 'x' } },
    })
    expect(data['ignored']).toBe('nosuchfilter')
    const series = { stationType: 'ParkingStation', dataTypes: ['free'], aggregates: ['min'] }
    expect((await mcp.call('time_series', series)).data['ignored']).toBe('aggregates')
  })

  const save = async (message: Members) => {
    const { store, now } = mcp.hub
    const body = Buffer.from(JSON.stringify(message))
    const origin = { stream: 'demo/region', received: now(), mayBackdate: true }
    await store.database.transaction((tx) => storeBody(tx, pipelines, { ...origin, body }))
  }

  it('show closed data only to callers whose role opens it', async () => {
    const closed = { Id: 'CLOSED-1', LicenseInfo: { ClosedData: true } }
    await save({
      kind: 'content',
      entity: 'Event',
      items: [{ ...closed, Detail: { en: { Title: 'Quokka' } } }],
    })
    const asked = async (headers: Readonly<Record<string, string>>) => {
      const listed = await mcp.call(
        'query_records',
        { dataset: 'Event', search: 'Quokka' },
        headers,
      )
      const counted = await mcp.call(
        'group_and_count',
        { dataset: 'Event', search: 'Quokka' },
        headers,
      )
      const one = await mcp.call('read_record', { dataset: 'Event', id: 'CLOSED-1' }, headers)
      const { withheld } = listed.data
      return {
        listed: listed.items.length,
        counted: counted.items[0]?.['count'],
        one: !one.isError,
        withheld,
      }
    }
    const nothing = { listed: 0, counted: 0, one: false }
    expect(await asked({})).toMatchObject({
      ...nothing,
      withheld:
        'Closed records, if there are any, are left out. Closed data is shown only to callers with a token.',
    })
    expect(await asked(await bearer([]))).toMatchObject(nothing)
    expect(await asked(await bearer(['BDP_VIEW_CLOSED_DATA']))).toEqual({
      ...{ listed: 1, counted: 1, one: true, withheld: undefined },
    })
  })

  it('list situations that are in force, with a title in any language', async () => {
    const held = {
      start: '2026-11-20T08:00:00Z',
      geometry: { type: 'Point', coordinates: [11, 46] },
    }
    const items = [
      { ...held, uuid: randomUUID(), cancelled: true, title: { en: 'Called off' } },
      { ...held, uuid: randomUUID(), title: { de: 'Sperre' } },
    ]
    await save({ kind: 'events', origin: 'ELSEWHERE', items })
    const { items: found } = await mcp.call('traffic_now', { origin: 'ELSEWHERE' })
    expect(found).toMatchObject([{ Shortname: 'Sperre' }])
  })

  it.each([
    ['read_record', { dataset: 'Accommodation' }, 'GpsInfo'],
    ['read_record', { dataset: 'ParkingStation', id: 'parking-0001' }, 'smetadata'],
    ['find_nearest', { dataset: 'Accommodation', place: 'Bozen', radius: 200_000 }, 'GpsInfo'],
    ['find_nearest', { dataset: 'ParkingStation', place: 'Bozen', radius: 200_000 }, 'smetadata'],
  ])('return all fields by name: %s %j', async (name, given, field) => {
    const { items: known } = await mcp.call('query_records', { dataset: given.dataset, limit: 1 })
    const id = known[0]?.['Id']
    const wanted = name === 'read_record' ? { id, ...given } : given
    const { data, items } = await mcp.call(name, { ...wanted, fields: ['*'] })
    expect(fieldsOf(items[0] ?? data['record'])).toHaveProperty(field)
  })

  it('read the fields of the chosen language', async () => {
    const { items } = await mcp.call('query_records', { dataset: 'Event', limit: 1 })
    const given = { dataset: 'Event', id: items[0]?.['Id'], language: 'de' }
    const fields = ['Detail.{language}.Title']
    const { data } = await mcp.call('read_record', { ...given, fields })
    expect(data['record']).toMatchObject({ 'Detail.de.Title': expect.any(String) })
  })

  it('read long texts in pieces', async () => {
    const text = Array.from({ length: 3000 }, (_, index) => `word${String(index)}`).join(' ')
    const items = [{ Id: 'LONG-1', Detail: { en: { Title: 'Long', BaseText: text } } }]
    await save({ kind: 'content', entity: 'Article', items })
    const fields = ['Detail.en.BaseText']
    let read = ''
    while (read.length < text.length) {
      const given = { dataset: 'Article', id: 'LONG-1', fields, from: read.length }
      const { data } = await mcp.call('read_record', given)
      const piece = JSON.stringify(data['record'])
      read += /"Detail\.en\.BaseText":"(.*?)( … \[|"\})/.exec(piece)?.[1] ?? 'nothing'
    }
    expect(read).toBe(text)
    const { text: listed } = await mcp.call('query_records', {
      dataset: 'Article',
      search: 'Long',
      fields,
    })
    expect(listed).toContain('more characters: read_record')
    expect(listed.length).toBeLessThan(2000)
  })

  it('handle several calls at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => calls)
        .flat()
        .map(([name, given]) => mcp.call(name, given)),
    )
    expect(answers.filter(({ isError }) => isError)).toEqual([])
  })
})
