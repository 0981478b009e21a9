import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { openContent } from '../fixtures/content-app.ts'
import { storeLakes } from '../fixtures/lakes.ts'
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
    await storeLakes(database())
  })
  afterAll(() => app.close())

  describe('Filter', () => {
    it.each([
      ["eq(Detail.en.Title,'Bergsee')", '', ['e-whole']],
      ["eq(Difficulty,'3')", '', ['p-begin']],
      ['isnotnull(Difficulty)', '', ['p-begin', 'p-whole']],
      ['isnotnull(Difficulty)', '&rawsort=Difficulty', ['p-whole', 'p-begin']],
      ['isnotnull(AccoDetail)', '&type=event,accommodation', ['A1']],
      ["like(Shortname,'ergs')", '&type=event&limitto=2', ['e-part', 'e-whole']],
      ["like(Shortname,'ergs')", '&locfilter=regR1&type=event', ['e-whole']],
      ['eq(Nothing,1)', '', []],
    ])('accepts an expression: %s%s', async (expression, more, expected) => {
      const url = `/v1/Filter?expression=${encodeURIComponent(expression)}${more}`
      expect(await idsOf(url)).toEqual(expected)
    })

    it('returns the same envelope and items as Find', async () => {
      const answer = await ask("/v1/Filter?expression=eq(Id,'e-word')&type=event")
      expect(answer).toMatchObject({ TotalResults: 1, detailedResults: { event: 1 } })
      expect(answer.Items).toEqual([
        {
          Id: 'e-word',
          'Detail.en.Title': 'Fest am Bergsee',
          '_Meta.Type': 'event',
          Self: `${publicUrl}/v1/Event/e-word`,
        },
      ])
      expect(answer).not.toHaveProperty('searchTerm')
    })
  })

  describe('hide closed data', () => {
    const both = ['/v1/Find?q=bergsee', "/v1/Filter?expression=like(Shortname,'bergsee')"]

    it.each(both)('in items and totals: %s', async (url) => {
      const anonymous = await ask(`${url}&type=event`)
      expect(anonymous.Items.map(({ Id }) => Id)).not.toContain('e-closed')
      const seen = await ask(`${url}&type=event`, { authorization: 'Bearer closed' })
      expect(seen.Items.map(({ Id }) => Id)).toContain('e-closed')
      expect(seen.TotalResults).toBe(anonymous.TotalResults + 1)
    })

    it('from callers without a token if reading requires one', async () => {
      expect((await ask('/v1/Find?q=bergsee', provider)).detailedResults).toMatchObject({
        accommodationroom: 1,
        hubmetadata: 1,
      })
      expect((await get('/v1/Find?q=x')).headers['x-withheld']).toContain('records;reason=no-token')
      expect((await get('/v1/Find?q=x&type=accommodationroom')).statusCode).toBe(401)
      expect((await get('/v1/Filter?expression=eq(Id,1)&type=event,MetaData')).statusCode).toBe(401)
    })

    it.each([
      "/v1/Filter?expression=eq(AccoRoomInfo.0.Id,'bergsee-secret')",
      '/v1/Filter?expression=isnotnull(AccoRoomInfo)',
      '/v1/Find?q=secret&filteronfields=AccoRoomInfo.0.Id',
    ])('in closed fields: %s', async (url) => {
      expect(await idsOf(`${url}&type=accommodation`)).toEqual([])
      expect(await idsOf(`${url}&type=accommodation`, provider)).toEqual(['A1'])
    })

    it('in selected fields', async () => {
      const url = '/v1/Find?q=A1&type=accommodation&fields=AccoRoomInfo'
      expect((await get(url)).body).not.toContain('secret')
      expect((await get(url, provider)).body).toContain('secret')
    })
  })
})
