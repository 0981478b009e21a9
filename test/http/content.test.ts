import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const received = new Date('2026-11-20T10:00:00.000Z')

function entityNamed(name: string) {
  const entity = entities.find((candidate) => candidate.name === name)
  if (entity === undefined) throw new Error(`no entity ${name}`)
  return entity
}

const record = (Id: string, rest: object = {}) => ({
  Id,
  Shortname: `House ${Id}`,
  AccoDetail: { de: { Name: `Haus ${Id}` }, en: { Name: `House ${Id}`, Zip: null } },
  ...rest,
})

describeWithDatabase('the content service', (database) => {
  let app: FastifyInstance
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ url, headers })
    return {
      ...response,
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
    }
  }
  const list = async (query = '', headers: Record<string, string> = {}) => {
    const response = await app.inject({ url: `/v1/Accommodation${query}`, headers })
    expect(response.statusCode).toBe(200)
    return response.json()
  }
  const store = (records: readonly { readonly Id: string }[], deletions: readonly string[] = []) =>
    database().transaction((tx) =>
      storeRecords(tx, {
        entity: entityNamed('Accommodation'),
        records,
        deletions,
        received,
        provider: 'demo',
      }),
    )

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    const open = Array.from({ length: 25 }, (_, index) =>
      // Equal short names, so that only the id makes the order total.
      record(`A${String(index).padStart(2, '0')}`, { Shortname: 'Same' }),
    )
    const closed = record('C1', { LicenseInfo: { ClosedData: true } })
    await store([...open, closed, record('R1', { AccoRoomInfo: [{ Id: 'room' }] })])
  })
  afterAll(() => app.close())

  it('returns a page in the envelope, with absolute links and fields in order', async () => {
    const { text } = await get('/v1/Accommodation?pagesize=10&pagenumber=2')
    expect(Object.keys(JSON.parse(text))).toEqual([
      'TotalResults',
      'TotalPages',
      'CurrentPage',
      'PreviousPage',
      'NextPage',
      'Seed',
      'Items',
    ])
    expect(JSON.parse(text)).toMatchObject({
      TotalResults: 26,
      TotalPages: 3,
      CurrentPage: 2,
      PreviousPage: `${publicUrl}/v1/Accommodation?pagesize=10&pagenumber=1`,
      NextPage: `${publicUrl}/v1/Accommodation?pagesize=10&pagenumber=3`,
      Seed: null,
    })
  })

  it('returns each record exactly once over all pages, even with equal short names', async () => {
    const ids: string[] = []
    for (const page of [1, 2, 3, 4]) {
      const { Items } = await list(`?pagesize=9&pagenumber=${String(page)}&fields=Id`)
      ids.push(...Items.map((item: { Id: string }) => item.Id))
    }
    expect(ids).toHaveLength(26)
    expect(new Set(ids).size).toBe(26)
  })

  it('returns no items and correct totals for a page beyond the end', async () => {
    expect(await list('?pagenumber=99')).toMatchObject({
      TotalResults: 26,
      CurrentPage: 99,
      Items: [],
      PreviousPage: null,
      NextPage: null,
    })
  })

  it('limits the page size to 1000, and refuses more under strict handling', async () => {
    expect((await list('?pagesize=5000')).Items).toHaveLength(26)
    const strict = await get('/v1/Accommodation?pagesize=5000', { prefer: 'handling=strict' })
    expect(strict.status).toBe(400)
    expect(strict.json()).toMatchObject({
      errorCode: 'HUB-QRY-003',
      errors: [{ parameter: 'pagesize' }],
    })
  })

  it('hides closed records and fields from anonymous callers, in lists and items', async () => {
    expect((await list('?pagesize=100')).TotalResults).toBe(26)
    expect((await get('/v1/Accommodation/C1')).status).toBe(404)
    const item = (await get('/v1/Accommodation/R1')).json()
    expect(item).not.toHaveProperty('AccoRoomInfo')
    expect(item._Meta.Reduced).toBe(true)
  })

  it('shows closed records and fields to callers who may see them', async () => {
    const headers = { authorization: 'Bearer closed' }
    expect((await list('?pagesize=100', headers)).TotalResults).toBe(27)
    const closed = await get('/v1/Accommodation/C1', headers)
    expect(closed.status).toBe(200)
    expect(closed.headers['cache-control']).toBe('private, no-cache')
    expect((await get('/v1/Accommodation/R1', headers)).json()).toMatchObject({
      AccoRoomInfo: [{ Id: 'room' }],
      _Meta: { Reduced: false },
    })
  })

  it('finds an item in any letter case, and returns it with an absolute Self', async () => {
    expect((await get('/v1/Accommodation/a03')).json()).toMatchObject({
      Id: 'A03',
      Self: `${publicUrl}/v1/Accommodation/A03`,
      HasLanguage: ['de', 'en'],
      _Meta: { Type: 'accommodation', Source: 'demo' },
    })
  })

  it('selects languages and fields, and removes nulls, in lists and items', async () => {
    const query = '?language=en&fields=AccoDetail.en.Name,AccoDetail.de.Name&removenullvalues=true'
    const item = (await get(`/v1/Accommodation/A00${query}`)).text
    expect(item).toBe('{"Id":"A00","AccoDetail.en.Name":"House A00"}')
    expect((await list(`${query}&pagesize=100`)).Items).toContainEqual(JSON.parse(item))
  })

  it('returns 304 to a caller with the current version, and 200 after a change', async () => {
    const url = '/v1/Accommodation?pagesize=3'
    const first = await get(url)
    expect(first.headers['cache-control']).toBe('public, no-cache')
    const tag = String(first.headers['etag'])
    expect((await get(url, { 'if-none-match': tag })).status).toBe(304)
    expect((await get(url, { 'if-none-match': tag, authorization: 'Bearer closed' })).status).toBe(
      200,
    )
    await store([record('ZZ')])
    expect((await get(url, { 'if-none-match': tag })).status).toBe(200)
    await store([], ['ZZ'])
    expect((await list()).TotalResults).toBe(26)
    const item = String((await get('/v1/Accommodation/A00')).headers['etag'])
    expect((await get('/v1/Accommodation/A00', { 'if-none-match': item })).status).toBe(304)
  })

  it('refuses a read of a record that has changed since If-Unmodified-Since', async () => {
    const url = '/v1/Accommodation/A00'
    const modified = String((await get(url)).headers['last-modified'])
    const before = 'Thu, 01 Jan 1970 00:00:00 GMT'
    const statuses = [modified, before, 'lately'].map(
      async (since) => (await get(url, { 'if-unmodified-since': since })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 412, 200])
  })

  it.each([
    ['pagenumber=0', 'pagenumber'],
    ['pagesize=-1', 'pagesize'],
    ['pagesize=abc', 'pagesize'],
    ['removenullvalues=yes', 'removenullvalues'],
    ['fields=a..b', 'fields'],
    ['language=Deutsch', 'language'],
  ])('refuses %s with 400 and names the parameter', async (query, parameter) => {
    const { status, headers, text } = await get(`/v1/Accommodation?${query}`)
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(JSON.parse(text)).toMatchObject({ status: 400, errors: [{ parameter }] })
  })

  it('reports unknown parameters, and refuses them under strict handling', async () => {
    const { headers, status } = await get('/v1/Accommodation?pagesiez=1&x=2')
    expect([status, headers['x-ignored-parameters']]).toEqual([200, 'pagesiez, x'])
    const strict = await get('/v1/Accommodation?pagesiez=1', { prefer: 'handling=strict' })
    expect(strict.status).toBe(400)
    expect(strict.text).toContain('Did you mean pagesize?')
  })

  it('updates LastChange only if a save changes the record', async () => {
    const read = async () => (await get('/v1/Accommodation/A01')).json()
    const before = await read()
    const save = (name: string, minutes: number) =>
      database().transaction((tx) =>
        storeRecords(tx, {
          entity: entityNamed('Accommodation'),
          records: [record('A01', { Shortname: name })],
          deletions: [],
          received: new Date(received.getTime() + minutes * 60_000),
          provider: 'demo',
        }),
      )
    await save('Same', 1)
    const same = await read()
    expect(same._Meta.LastUpdate).toBe('2026-11-20T10:01:00.000Z')
    expect(same._Meta.LastChange).toBe(before._Meta.LastChange)
    await save('Other', 2)
    expect(await read()).toMatchObject({
      LastChange: '2026-11-20T10:02:00.000Z',
      _Meta: { LastChange: '2026-11-20T10:02:00.000Z' },
    })
    await save('Older message', 1)
    expect((await read()).Shortname).toBe('Other')
  })

  it.each([
    ['2020-06-01T10:00:00Z', 'Mon, 01 Jun 2020 10:00:00 GMT'],
    ['0050-06-01T10:00:00.9Z', 'Wed, 01 Jun 0050 10:00:00 GMT'],
    ['0044-03-15 10:00 BC', undefined],
  ])('returns the LastChange %s as Last-Modified: %s', async (LastChange, wanted) => {
    const Id = `CHANGED-${LastChange.slice(0, 4)}`
    await store([record(Id, { LastChange })])
    expect((await get(`/v1/Accommodation/${Id}`)).headers['last-modified']).toBe(wanted)
  })

  it('returns no Last-Modified in the future', async () => {
    await store([record('FUTURE', { LastChange: '2999-01-01T00:00:00Z' })])
    const { headers } = await get('/v1/Accommodation/future')
    expect(Date.parse(String(headers['last-modified']))).toBeLessThanOrEqual(Date.now())
  })

  it('does not restore a deleted record from an older message', async () => {
    await store([record('GONE')])
    const later = new Date(received.getTime() + 3_600_000)
    const write = { entity: entityNamed('Accommodation'), provider: 'demo' }
    await database().transaction((tx) =>
      storeRecords(tx, { ...write, records: [], deletions: ['gone'], received: later }),
    )
    await store([record('GONE')])
    expect((await get('/v1/Accommodation/GONE')).status).toBe(404)
  })
})
