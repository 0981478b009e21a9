import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ContentWrite } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { openContent, storeContent } from '../fixtures/content-app.ts'
import { publicUrl } from '../fixtures/test-app.ts'

type Members = Readonly<Record<string, unknown>>

const tags: ContentWrite['records'] = [
  { Id: 'a', Types: ['season', 'sport'], Kind: 'x', Rank: 1, TagName: { en: 'A', de: 'AA' } },
  { Id: 'b', Types: ['sport'], Kind: 'y', Rank: 10, TagName: { en: 'B' } },
  { Id: 'c', Types: [], Kind: null, Rank: 2, Deep: [{ Name: 'n1' }, { Name: 'n2' }] },
  { Id: 'd', Kind: '', Rank: true, GpsPoints: { position: { Gpstype: 'position' } } },
  { Id: 'e', Kind: 'x', Rank: { z: 1 } },
  { Id: 'f', Types: ['secret'], Kind: 'secret', LicenseInfo: { ClosedData: true } },
]

describeWithDatabase('Distinct', (database) => {
  let app: FastifyInstance
  let compatible: FastifyInstance
  const store = (name: string, records: ContentWrite['records']) =>
    storeContent(database(), name, records)
  const get = (query: string, headers: Record<string, string> = {}) =>
    app.inject({ url: `/v1/Distinct?${query}`, headers })
  const valuesOf = async (query: string, headers: Record<string, string> = {}) => {
    const response = await get(query, headers)
    expect([query, response.statusCode, response.body]).toEqual([query, 200, response.body])
    return response.json()
  }

  beforeAll(async () => {
    app = await openContent(database())
    compatible = await openContent(database(), 'compatible')
    await store('Tag', tags)
    await store('MetaData', [
      {
        Id: 'm1',
        Dataspace: ['tourism', 'mobility'],
        BaseUrl: 'https://other.test',
        PathParam: ['v1', 'X'],
      },
      { Id: 'm2', Dataspace: ['tourism'], PathParam: ['v1', 'Accommodation'] },
    ])
    await store('Accommodation', [
      { Id: 'H1', AccoRoomInfo: [{ Id: 'r1' }], Shortname: 'Hof' },
      { Id: 'H2', Shortname: 'Haus' },
    ])
  })
  afterAll(() => Promise.all([app.close(), compatible.close()]))

  describe('returns', () => {
    it.each([
      ['elements of arrays', 'type=tag&fields=Types.[*]&getasarray=true', ['season', 'sport']],
      [
        'the same in other spellings',
        'type=Tag&fields=Types[]&getasarray=true',
        ['season', 'sport'],
      ],
      ['a member, null too', 'type=tag&fields=Kind&getasarray=true', ['', 'x', 'y', null]],
      [
        'nothing empty where that is not wanted',
        'type=tag&fields=Kind&getasarray=true&excludenulloremptyvalues=true',
        ['x', 'y'],
      ],
      [
        'everything as a text',
        'type=tag&fields=Rank&getasarray=true',
        ['1', '10', '2', 'true', '{"z": 1}'],
      ],
      [
        'objects with the path as written',
        'type=tag&fields=Types.[*]',
        [{ 'Types.[*]': 'season' }, { 'Types.[*]': 'sport' }],
      ],
      [
        'combinations, with null for what is missing',
        'type=tag&fields=Kind,TagName.en&rawfilter=in(Id,%27a%27,%27b%27,%27e%27)',
        [
          { Kind: 'x', 'TagName.en': 'A' },
          { Kind: 'x', 'TagName.en': null },
          { Kind: 'y', 'TagName.en': 'B' },
        ],
      ],
      ['what lies within arrays', 'type=tag&fields=Deep.Name&getasarray=true', ['n1', 'n2']],
      ['one element', 'type=tag&fields=Deep.[1].Name&getasarray=true', ['n2']],
      [
        'members of objects',
        'type=tag&fields=GpsPoints.[*].*.Gpstype&getasarray=true',
        ['position'],
      ],
      ['nothing for what nobody has', 'type=tag&fields=Nothing,Nowhere.[0]', []],
      [
        'what filters leave',
        "type=tag&fields=Id&getasarray=true&rawfilter=eq(Kind,'x')",
        ['a', 'e'],
      ],
      ['nothing of an unknown source', 'type=tag&fields=Id&source=nobody', []],
      ['nothing of an unknown tag', 'type=accommodation&fields=Id&tagfilter=nothing', []],
    ])('%s', async (_what, query, expected) => {
      expect(await valuesOf(query)).toEqual(expected)
    })

    it.each([
      ['fields=Kind&rawsort=Kind', ['', 'x', 'y', null]],
      ['fields=Kind&rawsort=-Kind', [null, 'y', 'x', '']],
      ['fields=Types.[*]&rawsort=-Types.[*]', ['sport', 'season']],
      ['fields=Types.[]&rawsort=-Types[*]', ['sport', 'season']],
    ])('values sorted by the column: %s', async (query, expected) => {
      expect(await valuesOf(`type=tag&getasarray=true&${query}`)).toEqual(expected)
    })

    it('rows sorted by several columns', async () => {
      const rows: Members[] = await valuesOf('type=tag&fields=Id,Kind&rawsort=-Kind,-Id')
      expect(rows.map(({ Id }) => Id)).toEqual(['c', 'b', 'e', 'a', 'd'])
    })

    it('CSV to callers that accept it', async () => {
      const response = await get('type=tag&fields=Kind,Id&rawsort=Id', { accept: 'text/csv' })
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(response.body).toBe('Kind,Id\r\nx,a\r\ny,b\r\n,c\r\n,d\r\nx,e\r\n')
    })

    it('304 to callers with the current version, until a record is written', async () => {
      const url = 'type=venue&fields=Id'
      const { etag = '' } = (await get(url)).headers
      const again = await get(url, { 'if-none-match': etag })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      expect((await get('type=venue&fields=Shortname', { 'if-none-match': etag })).statusCode).toBe(
        200,
      )
      await store('Venue', [{ Id: 'v' }])
      expect((await get(url, { 'if-none-match': etag })).json()).toEqual([{ Id: 'v' }])
    })

    it('the names of ignored parameters, and refuses them under strict handling', async () => {
      const { headers } = await get('type=tag&fields=Id&seed=3&pagesize=2')
      expect(headers['x-ignored-parameters']).toBe('seed, pagesize')
      for (const parameter of ['seed', 'pagesize']) {
        const url = `type=tag&fields=Id&${parameter}=2`
        const refused = await get(url, { prefer: 'handling=strict' })
        expect(refused.statusCode).toBe(400)
        expect(refused.json()).toMatchObject({ errorCode: 'HUB-QRY-003', errors: [{ parameter }] })
      }
    })
  })

  it('returns pages if requested, which together contain all values', async () => {
    const all: unknown[] = []
    for (const page of [1, 2, 3]) {
      const answer = await valuesOf(
        `type=tag&fields=Rank&getasarray=true&pagesize=2&pagenumber=${page}`,
      )
      expect(answer).toMatchObject({
        TotalResults: 5,
        TotalPages: 3,
        CurrentPage: page,
        Seed: null,
      })
      all.push(...answer.Items)
    }
    expect(all).toEqual(await valuesOf('type=tag&fields=Rank&getasarray=true'))
    const beyond = await valuesOf('type=tag&fields=Rank&pagenumber=4&pagesize=2')
    expect(beyond).toMatchObject({ TotalResults: 5, NextPage: null, Items: [] })
    const url = '/v1/Distinct?type=tag&fields=Rank&pagenumber=1&pagesize=-1'
    expect((await compatible.inject(url)).json().Items).toHaveLength(5)
  })

  it('includes fields that are computed when a record is read', async () => {
    const url = '/v1/Distinct?odhtype=odhmetadata&getasarray=true&rawsort=BaseUrl&fields=BaseUrl'
    expect((await compatible.inject(url)).json()).toEqual([publicUrl, 'https://other.test'])
    const spaces =
      '/v1/Distinct?odhtype=odhmetadata&fields=Dataspace.[*]&rawsort=Dataspace.[*]&getasarray=true'
    expect((await compatible.inject(spaces)).json()).toEqual(['mobility', 'tourism'])
  })

  describe('hides closed data', () => {
    it('from callers who may not see it', async () => {
      expect(await valuesOf('type=tag&fields=Kind&getasarray=true')).not.toContain('secret')
      expect(await valuesOf("type=tag&fields=Id&rawfilter=eq(Kind,'secret')")).toEqual([])
      const closed = { authorization: 'Bearer closed' }
      expect(await valuesOf('type=tag&fields=Kind&getasarray=true', closed)).toContain('secret')
      expect((await get('type=tag&fields=Kind')).headers['x-withheld']).toBe(
        'records;reason=no-token',
      )
    })

    it.each([
      'AccoRoomInfo.[*].Id',
      'AccoRoomInfo',
      '*',
      '[*]',
      '*.Id',
      '[*].AccoRoomInfo.Id',
      "['AccoRoomInfo'].[0].Id",
    ])('in closed fields from callers without a token: %s', async (path) => {
      const url = `type=accommodation&fields=${encodeURIComponent(path)}`
      const response = await get(url)
      expect([response.statusCode, response.body]).toEqual([200, expect.not.stringContaining('r1')])
      const seen = await get(url, { authorization: 'Bearer provider' })
      expect([path, seen.body]).toEqual([path, expect.stringContaining('r1')])
    })

    it('from callers without a token if reading requires one', async () => {
      expect((await get('type=accommodationroom&fields=Id')).statusCode).toBe(401)
      expect((await get('type=hubmetadata&fields=Id')).statusCode).toBe(401)
      expect(
        await valuesOf('hubtype=hubmetadata&fields=Id', { authorization: 'Bearer provider' }),
      ).toHaveLength(2)
    })
  })
})
