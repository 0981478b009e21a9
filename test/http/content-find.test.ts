import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { openContent, storeContent } from '../fixtures/content-app.ts'
import { storeLakes, titled } from '../fixtures/lakes.ts'
import { publicUrl } from '../fixtures/test-app.ts'

const provider = { authorization: 'Bearer provider' }

type Item = Readonly<Record<string, unknown>>
type Answer = {
  readonly TotalResults: number
  readonly TotalPages: number
  readonly NextPage: string | null
  readonly Items: readonly Item[]
  readonly detailedResults: Readonly<Record<string, number>>
}

describeWithDatabase('searches across all entities', (database) => {
  let app: FastifyInstance
  let compatible: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const ask = async (url: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await get(url, headers)
    expect([url, response.statusCode, response.body]).toEqual([url, 200, response.body])
    return response.json()
  }
  const idsOf = async (url: string, headers: Record<string, string> = {}) =>
    (await ask(url, headers)).Items.map(({ Id }) => Id)

  beforeAll(async () => {
    app = await openContent(database())
    compatible = await openContent(database(), 'compatible')
    await storeLakes(database())
  })
  afterAll(() => Promise.all([app.close(), compatible.close()]))

  describe('Find', () => {
    it('lists the best match first, then sorts by type and identifier', async () => {
      expect(await idsOf('/v1/Find?q=bergsee')).toEqual([
        'p-whole',
        'e-whole',
        'bergsee',
        'p-begin',
        'A1',
        'e-word',
        'e-part',
      ])
    })

    it('returns the envelope of lists with flat items', async () => {
      const answer = await ask(
        '/v1/Find?q=bergsee&pagesize=1&pagenumber=2&fields=Difficulty,Detail.de.Title',
      )
      expect(Object.keys(answer)).toEqual([
        'TotalResults',
        'TotalPages',
        'CurrentPage',
        'PreviousPage',
        'NextPage',
        'Seed',
        'searchTerm',
        'detailedResults',
        'Items',
      ])
      expect(answer).toEqual({
        TotalResults: 7,
        TotalPages: 7,
        CurrentPage: 2,
        PreviousPage: expect.stringContaining('pagenumber=1'),
        NextPage: expect.stringContaining('pagenumber=3'),
        Seed: null,
        searchTerm: 'bergsee',
        detailedResults: { hubactivitypoi: 2, event: 3, accommodation: 1, tag: 1 },
        Items: [
          {
            Id: 'e-whole',
            'Detail.en.Title': 'Bergsee',
            '_Meta.Type': 'event',
            Self: `${publicUrl}/v1/Event/e-whole`,
            Difficulty: null,
            'Detail.de.Title': 'Bergsee DE',
          },
        ],
      })
      expect(Object.keys(answer.Items[0] ?? {}).slice(0, 4)).toEqual([
        'Id',
        'Detail.en.Title',
        '_Meta.Type',
        'Self',
      ])
    })

    it('links to each page up to the last, and returns an empty page after it', async () => {
      const ids: unknown[] = []
      let url: string | null = '/v1/Find?q=bergsee&pagesize=2'
      while (url !== null) {
        const answer: Answer = await ask(url)
        ids.push(...answer.Items.map(({ Id }) => Id))
        url = answer.NextPage?.replace(publicUrl, '') ?? null
      }
      expect(ids).toEqual(await idsOf('/v1/Find?q=bergsee'))
      expect(await ask('/v1/Find?q=bergsee&pagenumber=9')).toMatchObject({
        TotalResults: 7,
        Items: [],
      })
      expect(await ask('/v1/Find?q=bergsee&pagenumber=2147483647&pagesize=1000')).toMatchObject({
        Items: [],
      })
    })

    const events = ['e-whole', 'e-word', 'e-part']

    it.each([
      ['under its other name', 'term=bergsee&type=tag', ['bergsee']],
      ['of one type', 'q=bergsee&type=EVENT', events],
      ['of several', 'q=bergsee&type=event,odhactivitypoi&pagesize=2', ['p-whole', 'e-whole']],
      ['without accents', 'q=grosse', ['p-umlaut']],
      ['with digraphs', 'q=groesse', ['p-umlaut']],
      ['in one language', 'q=Hotel%20Bergsee&language=de', ['A1']],
      ['not in another', 'q=Hotel%20Bergsee&language=it', []],
      ['at places', 'q=bergsee&locfilter=regR1', ['p-whole', 'e-whole']],
      ['at places of a meta region', 'q=bergsee&locfilter=mtaM1,regR1', ['p-whole', 'e-whole']],
      ['under conditions', "q=bergsee&rawfilter=eq(Difficulty,'3')", ['p-begin']],
      ['at most some of each type', 'q=bergsee&limitto=1', ['p-whole', 'e-whole', 'bergsee', 'A1']],
      ['sorted', 'q=bergsee&rawsort=-Difficulty&type=hubactivitypoi', ['p-begin', 'p-whole']],
      [
        'sorted by what not all have',
        'q=bergsee&rawsort=Difficulty&pagesize=2',
        ['p-whole', 'p-begin'],
      ],
      ['sorted by identifier', 'q=bergsee&rawsort=-Id&pagesize=2', ['p-whole', 'p-begin']],
      ['in base texts', 'q=about%20e-word&searchbasetext=true', ['e-word']],
      ['not in base texts', 'q=about%20e-word', []],
      ['in other members', 'q=about%20p-beg&filteronfields=Detail.*.BaseText', ['p-begin']],
      ['in members of one language', 'q=3&filteronfields=Difficulty', ['p-begin']],
      [
        'in titles once',
        'q=bergsee&type=event&filteronfields=Detail.*.Title,Detail.en.Title',
        events,
      ],
      [
        'titles of a language',
        'q=Hotel%20Bergsee&language=it&filteronfields=AccoDetail.*.Name',
        [],
      ],
      [
        'a title as it is',
        'q=Hotel%20Bergsee&language=it&filteronfields=AccoDetail.de.Name',
        ['A1'],
      ],
      ['what means something in patterns', 'q=%25', []],
      ['the same in expressions', 'q=.*', []],
      ['words with signs', 'q=see-rund', ['p-begin']],
    ])('finds %s', async (_what, query, expected) => {
      expect(await idsOf(`/v1/Find?${query}`)).toEqual(expected)
    })

    it('returns the title in the requested language, by default in an available one', async () => {
      const [item] = (await ask('/v1/Find?q=bergsee&type=accommodation')).Items
      expect(item).toMatchObject({ 'AccoDetail.de.Name': 'Hotel Bergsee' })
      const [german] = (await ask('/v1/Find?q=Größe&type=hubactivitypoi&language=de')).Items
      expect(german).toMatchObject({ 'Detail.de.Title': 'Größe DE' })
      const [none] = (await ask('/v1/Find?q=A1&language=it&type=accommodation')).Items
      expect(none).toMatchObject({ 'AccoDetail.it.Name': null })
      const [left] = (
        await ask('/v1/Find?q=A1&language=it&type=accommodation&removenullvalues=true')
      ).Items
      expect(left).not.toHaveProperty(['AccoDetail.it.Name'])
    })

    it('returns fields that are computed on read', async () => {
      const url = '/v1/Find?q=bergsee&type=hubmetadata&fields=ApiUrl'
      expect((await ask(url, provider)).Items).toMatchObject([{ ApiUrl: `${publicUrl}/v1/Event` }])
    })

    it('returns all results for pagesize=-1 in the compatible profile', async () => {
      const response = await compatible.inject('/v1/Find?q=bergsee&pagesize=-1')
      const answer: Answer = response.json()
      expect(answer).toMatchObject({ TotalResults: 8, TotalPages: 1 })
      expect(answer.Items).toHaveLength(8)
    })

    it('returns 304 until a record is written that could match', async () => {
      const { etag = '' } = (await get('/v1/Find?q=bergsee&type=venue,event')).headers
      const headers = { 'if-none-match': etag }
      expect((await get('/v1/Find?q=bergsee&type=venue,event', headers)).statusCode).toBe(304)
      await storeContent(database(), 'Venue', [titled('v1', 'Saal')])
      expect((await get('/v1/Find?q=bergsee&type=venue,event', headers)).statusCode).toBe(200)
    })
  })
})
