import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))

describeWithDatabase('a search with a body', (database) => {
  let app: FastifyInstance
  const search = (payload: unknown, headers: Record<string, string> = {}, path = 'Accommodation') =>
    app.inject({
      method: 'POST',
      url: `/v1/${path}Search`,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    const entity = entities.find(({ name }) => name === 'Accommodation')
    if (entity === undefined) throw new Error('no entity Accommodation')
    const records = Array.from({ length: 12 }, (_, index) => ({
      Id: `A${String(index + 10)}`,
      AccoDetail: { en: { Name: `House ${String(index)}` } },
    }))
    const write = { entity, records, deletions: [], provider: 'demo', received: new Date() }
    await database().transaction((tx) => storeRecords(tx, write))
  })
  afterAll(() => app.close())

  it('returns the same as GET with the same parameters, including links', async () => {
    const body = {
      pagesize: 5,
      pagenumber: 2,
      language: 'en',
      fields: ['Id', 'AccoDetail.en.Name'],
      removenullvalues: true,
    }
    const query =
      'pagesize=5&pagenumber=2&language=en&fields=Id,AccoDetail.en.Name&removenullvalues=true'
    const [posted, got] = [await search(body), await app.inject(`/v1/Accommodation?${query}`)]
    expect(posted.statusCode).toBe(200)
    const { NextPage, ...rest } = posted.json()
    expect(rest.Items).toEqual(got.json().Items)
    expect(rest).toMatchObject({ TotalResults: 12, TotalPages: 3, CurrentPage: 2, Seed: null })
    const { pathname, searchParams } = new URL(NextPage)
    expect([pathname, searchParams.get('pagenumber'), searchParams.get('language')]).toEqual([
      '/v1/Accommodation',
      '3',
      'en',
    ])
    const next = await app.inject(NextPage.slice(publicUrl.length))
    expect(next.json()).toMatchObject({ CurrentPage: 3 })
  })

  it('omits links to pages if their URL would be too long', async () => {
    const { TotalPages, NextPage } = (
      await search({ pagesize: 1, idlist: ['a10', 'a11', ...Array(40).fill('x'.repeat(400))] })
    ).json()
    expect([TotalPages, NextPage]).toEqual([2, null])
  })

  it('accepts numbers, flags and lists as strings, and names in any letter case', async () => {
    const { Items } = (
      await search({ PageSize: '3', fields: 'Id', removeNullValues: 'true', seed: null })
    ).json()
    expect(Items).toEqual([{ Id: 'A10' }, { Id: 'A11' }, { Id: 'A12' }])
  })

  it('accepts an empty object, and other media types of JSON', async () => {
    for (const type of ['application/json; charset=utf-8', 'text/json', 'application/vnd.x+json']) {
      expect((await search({}, { 'content-type': type })).json()).toMatchObject({ CurrentPage: 1 })
    }
  })

  it('returns other formats and streams', async () => {
    expect((await search({ format: 'csv', fields: 'Id', pagesize: 1 })).body).toBe('Id\r\nA10\r\n')
    expect(
      (await search({ stream: true }, { accept: 'application/x-ndjson' })).body.split('\n'),
    ).toHaveLength(13)
  })

  it('is available for every list', async () => {
    for (const { path } of entities) {
      const authorization = 'Bearer admin'
      expect([path, (await search({ pagesize: 1 }, { authorization }, path)).statusCode]).toEqual([
        path,
        200,
      ])
    }
  })

  it('requires a token if the list requires one', async () => {
    const closed = entities.filter(({ needsToken }) => needsToken)
    expect(closed.length).toBeGreaterThan(0)
    for (const { path } of closed) expect((await search({}, {}, path)).statusCode).toBe(401)
  })

  it('reports unknown parameters, and refuses them under strict handling', async () => {
    expect((await search({ pagesiez: 1 })).headers['x-ignored-parameters']).toBe('pagesiez')
    const half = await search('{"\\ud800":1}')
    expect([half.statusCode, half.headers['x-ignored-parameters']]).toEqual([200, '%EF%BF%BD'])
    const strict = await search({ pagesiez: 1 }, { prefer: 'handling=strict' })
    expect(strict.json()).toMatchObject({ errorCode: 'HUB-QRY-003' })
    expect(strict.body).toContain('Did you mean pagesize?')
  })

  it.each([
    ['not JSON', '{', 'HUB-BDY-001'],
    ['nothing', '', 'HUB-BDY-001'],
    ['an array', '[]', 'HUB-BDY-001'],
    ['a text', '"x"', 'HUB-BDY-001'],
    ['an object as a value', '{"pagesize":{}}', 'HUB-BDY-001'],
    ['the NUL character', '{"searchfilter":"\\u0000"}', 'HUB-BDY-001'],
    ['a wrong value', '{"pagesize":"many"}', 'HUB-QRY-001'],
    ['a repeated scalar', '{"pagesize":[1,2]}', 'HUB-QRY-002'],
    ['a wrong path', '{"fields":["a..b"]}', 'HUB-QRY-004'],
  ])('refuses %s with 400 and a reason', async (_what, body, errorCode) => {
    const answer = await search(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toMatchObject({ errorCode })
  })

  it('refuses other media types, and other methods on the same path', async () => {
    expect((await search('x', { 'content-type': 'text/csv' })).json()).toMatchObject({
      status: 415,
      errorCode: 'HUB-BDY-003',
    })
    const got = await app.inject('/v1/AccommodationSearch')
    expect([got.statusCode, got.headers['allow']]).toEqual([405, 'OPTIONS, POST'])
  })

  it('is described in OpenAPI with the parameters of the list', async () => {
    const { paths } = (await app.inject('/openapi.json')).json()
    const { properties } =
      paths['/v1/AccommodationSearch'].post.requestBody.content['application/json'].schema
    const named = paths['/v1/Accommodation'].get.parameters.map(
      ({ name }: { name: string }) => name,
    )
    expect(Object.keys(properties).sort()).toEqual(named.sort())
  })
})
