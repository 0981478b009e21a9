import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openContent, storeContent } from '../../../test/fixtures/content-app.ts'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { publicUrl } from '../../../test/fixtures/test-app.ts'
import { parseFields } from '../representation.ts'
import { represent } from '../representation.ts'

type Row = Readonly<Record<string, unknown>>

const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const word = fc.constantFrom('x', 'y', '', 'Größe')
const rank = fc.constantFrom<unknown>(
  null,
  1,
  1.5,
  -20,
  '12,5',
  ' 7 ',
  '3.25',
  'high',
  '2026-01-02',
  true,
  [1],
)
const record = fc.record({
  Kind: some(fc.constantFrom<unknown>(null, '', 'x', 'y', 1, '1', true, ['x'], { a: 1, b: [2] })),
  Types: some(
    fc.oneof(
      fc.array(fc.option(word), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('k', 'l', 'de', 'en'), word),
      word,
    ),
  ),
  Rank: some(rank),
  TagName: some(fc.dictionary(fc.constantFrom('de', 'en', 'it'), word)),
  Deep: some(
    fc.oneof(
      fc.array(fc.record({ Names: some(fc.array(word)), Rank: some(rank) })),
      fc.constant('deep'),
    ),
  ),
})
/** Drops undefined fields, as JSON does. */
const stored = (members: object): Row => JSON.parse(JSON.stringify(members))

const records = fc
  .sample(record, { numRuns: 80, seed: 71 })
  .map((members, index) => ({ ...stored(members), Id: `t${String(index)}` }))

const single = [
  'Kind',
  'Rank',
  'TagName.de',
  'TagName.en',
  'Deep[0].Rank',
  'Kind.[0]',
  'Rank[0]',
  'Kind.b',
  'Missing.at',
]
const several = ['Types.[*]', 'Deep[*].Rank', 'Deep[].Names[*]', 'TagName[*]', 'TagName.de.[*]']
const aggregates = ['count', 'count(*)', 'count(Kind)', 'count(TagName.en)'].concat(
  ['sum', 'avg', 'min', 'max'].flatMap((name) => [
    `${name}(Rank)`,
    `${name}(Deep.[0].Rank)`,
    `${name}(Kind)`,
  ]),
)
const grouping = fc.record({
  groupby: fc
    .tuple(fc.subarray(several, { maxLength: 1 }), fc.subarray(single, { maxLength: 2 }))
    .map(([wild, plain]) => [...wild, ...plain]),
  agg: fc.shuffledSubarray(aggregates, { minLength: 1, maxLength: 4 }),
  language: fc.constantFrom(undefined, 'de', 'it'),
})
type Grouping = typeof grouping extends fc.Arbitrary<infer Value> ? Value : never

/** Returns the same text for values that PostgreSQL considers equal. */
function keyOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  const members = Object.entries(value).map(([name, member]) => `${name}:${keyOf(member)}`)
  return `{${members.sort().join()}}`
}

function numbersOf(values: readonly unknown[]): readonly number[] {
  return values.flatMap((value) => {
    if (typeof value === 'number') return [value]
    const isNumber = typeof value === 'string' && /^\s*-?\d+([.,]\d+)?\s*$/.test(value)
    return isNumber ? [Number(value.replace(',', '.'))] : []
  })
}

function aggregateOf(text: string, rows: readonly Row[]): unknown {
  const [, name = '', path = '*'] = /^(\w+)(?:\((.*)\))?$/.exec(text) ?? []
  if (path === '*') return rows.length
  const values = rows.map((row) => row[path]).filter((value) => value !== null)
  const numbers = numbersOf(values)
  const sum = numbers.reduce((total, number) => total + number, 0)
  const texts = values.filter((value) => typeof value === 'string').sort()
  switch (name) {
    case 'count':
      return values.length
    case 'sum':
      return numbers.length === 0 ? null : sum
    case 'avg':
      return numbers.length === 0 ? null : sum / numbers.length
    case 'min':
      return numbers.length === 0 ? (texts[0] ?? null) : Math.min(...numbers)
    default:
      return numbers.length === 0 ? (texts.at(-1) ?? null) : Math.max(...numbers)
  }
}

/** Reference implementation, which groups the records as `fields` would show them. */
function groupNaively({ groupby, agg, language }: Grouping): readonly Row[] {
  const read = [...groupby, ...agg.flatMap((text) => /\((.*)\)/.exec(text)?.[1] ?? [])]
  const shown = {
    language,
    fields: parseFields(read),
    selectedBy: 'hub',
    removeNullValues: false,
  } as const
  const rows = records.flatMap((one): Row[] => {
    const row: Row = JSON.parse(represent(JSON.stringify(one), '', shown))
    const wild = groupby.find((path) => several.includes(path))
    if (wild === undefined) return [row]
    const values = [row[wild]].flat()
    return [...new Map(values.map((value) => [keyOf(value), value])).values()].map((value) => ({
      ...row,
      [wild]: value,
    }))
  })
  const groups = Map.groupBy(rows, (row) => keyOf(groupby.map((path) => row[path])))
  if (groupby.length === 0 && rows.length === 0) groups.set('', [])
  return [...groups.values()].map((members) =>
    Object.fromEntries([
      ...groupby.map((path) => [path, members[0]?.[path]] as const),
      ...agg.map((text) => [text, aggregateOf(text, members)] as const),
    ]),
  )
}

const rounded = (rows: readonly Row[]) =>
  rows
    .map((row) =>
      keyOf(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'number' ? Number(value.toPrecision(12)) : value,
        ]),
      ),
    )
    .sort()

const questionOf = ({ groupby, agg, language }: Grouping) =>
  new URLSearchParams({
    ...(groupby.length === 0 ? {} : { groupby: groupby.join(',') }),
    agg: agg.join(','),
    ...(language === undefined ? {} : { language }),
  }).toString()

const houses = [
  { Id: 'H1', Shortname: 'a', Altitude: 1000, AccoTypeId: 'Farm', AccoRoomInfo: [{ Id: 'r1' }] },
  {
    Id: 'H2',
    Shortname: 'b',
    Altitude: '1.200',
    AccoTypeId: 'Farm',
    Note: 'n',
  },
  {
    Id: 'H3',
    Shortname: 'c',
    Altitude: '1500,5',
    AccoTypeId: 'Hotel',
    AccoRoomInfo: [{ Id: 'r2' }],
  },
  {
    Id: 'H4',
    Shortname: 'd',
    Altitude: 5000,
    AccoTypeId: 'Secret',
    LicenseInfo: { ClosedData: true },
  },
]

describeWithDatabase('grouped lists', (database) => {
  let app: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({
      url: url.startsWith('http') ? url.slice(publicUrl.length) : `/v1/${url}`,
      headers,
    })
  const itemsOf = async (
    url: string,
    headers: Record<string, string> = {},
  ): Promise<readonly Row[]> => {
    const response = await get(url, headers)
    expect([url, response.statusCode, response.body]).toEqual([url, 200, response.body])
    return response.json().Items
  }

  beforeAll(async () => {
    app = await openContent(database())
    await storeContent(database(), 'Tag', records)
    await storeContent(database(), 'Accommodation', houses)
    await storeContent(database(), 'MetaData', [
      { Id: 'm1', Dataspace: ['tourism'], BaseUrl: 'https://other.test', PathParam: ['v1', 'X'] },
      { Id: 'm2', Dataspace: ['tourism'], PathParam: ['v1', 'Accommodation'] },
    ])
  })
  afterAll(() => app.close())

  it('match a naive loop over the records, and contain each group once across pages', async () => {
    await fc.assert(
      fc.asyncProperty(grouping, fc.integer({ min: 1, max: 9 }), async (asked, pagesize) => {
        const url = `Tag?${questionOf(asked)}`
        const whole = await itemsOf(`${url}&stream=true`)
        expect(rounded(whole)).toEqual(rounded(groupNaively(asked)))
        const first = await get(`${url}&pagesize=${String(pagesize)}`)
        const paged: Row[] = []
        for (let page = first; ;) {
          paged.push(...page.json().Items)
          const next = /<([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1]
          if (next === undefined) break
          page = await get(next)
        }
        expect(paged).toEqual(whole)
        expect(first.json().TotalResults).toBe(whole.length)
      }),
      { numRuns: 30, seed: 71 },
    )
  })

  it.each([
    [
      'groupby=AccoTypeId',
      [
        ['Farm', 2],
        ['Hotel', 1],
      ],
    ],
    [
      'groupby=AccoTypeId&rawsort=count',
      [
        ['Hotel', 1],
        ['Farm', 2],
      ],
    ],
    [
      'groupby=AccoTypeId&rawsort=-AccoTypeId',
      [
        ['Hotel', 1],
        ['Farm', 2],
      ],
    ],
    [
      'groupby=Note,AccoTypeId&rawsort=-Note',
      [
        ['n', 'Farm', 1],
        [null, 'Farm', 1],
        [null, 'Hotel', 1],
      ],
    ],
    [
      'groupby=AccoTypeId&agg=avg(Altitude),max(Shortname)',
      [
        ['Hotel', 1500.5, 'c'],
        ['Farm', 500.6, 'b'],
      ],
    ],
    ['agg=count,sum(Altitude)', [[3, 2501.7]]],
    ["agg=count&rawfilter=eq(Shortname,'nobody')", [[0]]],
    ["groupby=AccoTypeId&rawfilter=eq(Shortname,'nobody')", []],
    ['groupby=AccoTypeId&pagesize=1&pagenumber=2', [['Hotel', 1]]],
    ['groupby=AccoTypeId&pagesize=1&pagenumber=2147483647', []],
  ])('have the expected groups for %s', async (query, expected) => {
    const items = await itemsOf(`Accommodation?${query}`)
    expect(items.map((item) => Object.values(item))).toEqual(expected)
  })

  it('contain no closed records or fields for callers who may not read them', async () => {
    const url = 'Accommodation?groupby=AccoTypeId&agg=count,count(AccoRoomInfo),max(Altitude)'
    const rooms = 'Accommodation?groupby=AccoRoomInfo[*].Id'
    const open = await get(url)
    expect(open.body).not.toMatch(/Secret|5000/)
    expect(open.headers['x-withheld']).toBe('fields;reason=no-token, records;reason=no-token')
    expect(open.json().Items[0]).toMatchObject({ count: 2, 'count(AccoRoomInfo)': 0 })
    expect(await itemsOf(rooms)).toEqual([])
    for (const path of ['[*]', 'AccoRoomInfo', "['AccoRoomInfo'][0].Id", '[*].[*].Id']) {
      expect((await get(`Accommodation?groupby=${encodeURIComponent(path)}`)).body).not.toContain(
        '"r1"',
      )
    }
    const provider = { authorization: 'Bearer provider' }
    expect(await itemsOf(rooms, provider)).toHaveLength(2)
    expect((await get(url, provider)).body).not.toMatch(/Secret|5000/)
    expect((await get(url, { authorization: 'Bearer closed' })).body).toMatch(/Secret/)
    const etags = [open, await get(url, provider)].map(({ headers }) => headers['etag'])
    expect(new Set(etags).size).toBe(2)
  })

  it('include fields that are computed when a record is read', async () => {
    const admin = { authorization: 'Bearer admin' }
    expect(await itemsOf('MetaData?groupby=BaseUrl&rawsort=BaseUrl', admin)).toEqual([
      { BaseUrl: publicUrl, count: 1 },
      { BaseUrl: 'https://other.test', count: 1 },
    ])
    expect(await itemsOf('MetaData?agg=sum(RecordCount.open)', admin)).toEqual([
      { 'sum(RecordCount.open)': 3 },
    ])
  })

  it('are available as CSV and NDJSON, otherwise as JSON, with an ETag, and by POST', async () => {
    const url = 'Accommodation?groupby=AccoTypeId,Active&agg=count'
    expect((await get(`${url}&format=csv`)).body).toBe(
      'AccoTypeId,Active,count\r\nFarm,,2\r\nHotel,,1\r\n',
    )
    const lines = (await get(`${url}&removenullvalues=true`, { accept: 'application/x-ndjson' }))
      .body
    expect(lines).toBe('{"AccoTypeId":"Farm","count":2}\n{"AccoTypeId":"Hotel","count":1}\n')
    const { etag = '' } = (await get(url)).headers
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304)
    const geojson = await get(`${url}&format=geojson`)
    expect(geojson.headers['content-type']).toBe('application/json; charset=utf-8')
    const strict = { prefer: 'handling=strict' }
    expect((await get(`${url}&format=geojson`, strict)).json().errorCode).toBe('HUB-QRY-003')
    const posted = await app.inject({
      method: 'POST',
      url: '/v1/AccommodationSearch',
      payload: { groupby: 'AccoTypeId', pagesize: 1 },
    })
    expect(posted.json()).toMatchObject({
      TotalResults: 2,
      Items: [{ AccoTypeId: 'Farm', count: 2 }],
    })
    expect(posted.headers['link']).toContain('groupby=AccoTypeId')
  })

  it('report parameters that have no effect on them', async () => {
    const url =
      'Event?groupby=Source&fields=Id&seed=3&getasidarray=true&denormalize=true&active=true'
    const answer = await get(url)
    expect(answer.headers['x-ignored-parameters']).toBe('fields, seed, getasidarray, denormalize')
    const refused = (await get(url, { prefer: 'handling=strict' })).json()
    expect(refused).toMatchObject({ errorCode: 'HUB-QRY-003', errors: { length: 4 } })
    const view = await get('PoiReduced?groupby=Type')
    expect(view.headers['x-ignored-parameters']).toBeUndefined()
  })

  it.each([
    ['groupby=Alti tude', 'HUB-QRY-004', { parameter: 'groupby', position: 4 }],
    ['agg=avg(Alti tude)', 'HUB-QRY-004', { parameter: 'agg', position: 4 }],
    ['groupby=A,B,C,D', 'HUB-QRY-001', { parameter: 'groupby' }],
    ['groupby=A[*],B[*]', 'HUB-QRY-001', { parameter: 'groupby' }],
    ['groupby=Self', 'HUB-QRY-001', { parameter: 'groupby' }],
    ['groupby=count&agg=count', 'HUB-QRY-001', { parameter: 'agg' }],
    ['agg=mean(A)', 'HUB-QRY-001', { parameter: 'agg', position: 0 }],
    ['agg=av(A)', 'HUB-QRY-001', { hint: 'Did you mean avg?' }],
    ['agg=avg', 'HUB-QRY-001', { position: 3 }],
    ['agg=avg(A', 'HUB-QRY-001', { position: 3 }],
    ['agg=avg(A[*])', 'HUB-QRY-001', { position: 3 }],
    ['agg=count()', 'HUB-QRY-004', { parameter: 'agg' }],
    [
      'groupby=Altitude&rawsort=count,-Altitud',
      'HUB-QRY-001',
      { position: 6, hint: 'Did you mean Altitude?' },
    ],
    ['groupby=Altitude&cursor=x', 'HUB-QRY-012', { parameter: 'cursor' }],
  ])('are refused for %s', async (query, errorCode, issue) => {
    const response = await get(`Accommodation?${query.replaceAll(' ', '%20')}`)
    expect([response.statusCode, response.json().errorCode]).toEqual([400, errorCode])
    expect(response.json().errors[0]).toMatchObject(issue)
  })

  it('have at most 10,000 groups', async () => {
    const Numbers = Array.from({ length: 10_001 }, (_, index) => index)
    const halves = Numbers.map((number) => Math.floor(number / 2))
    await storeContent(database(), 'Venue', [{ Id: 'v', Numbers, Halves: halves }])
    const half = (await get('Venue?groupby=Halves[*]')).json()
    expect(half).toMatchObject({ TotalResults: 5001, TotalPages: 501 })
    const refused = (await get('Venue?groupby=Numbers[*]')).json()
    expect(refused).toMatchObject({ status: 400, errorCode: 'HUB-QRY-016' })
  })
})
