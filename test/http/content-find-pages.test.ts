import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContent, storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'

type Item = Readonly<Record<string, unknown>>
type Answer = {
  readonly TotalResults: number
  readonly TotalPages: number
  readonly Items: readonly Item[]
}

const titled = (Id: string, title: string) => ({
  Id,
  Shortname: title,
  Detail: { en: { Title: title } },
})

describeWithDatabase('Find and Filter', (database) => {
  let app: FastifyInstance
  const get = (url: string) => app.inject(url)
  const ask = async (url: string): Promise<Answer> => (await get(url)).json()

  beforeAll(async () => {
    app = await openContent(database())
  })
  afterAll(() => app.close())

  describe('refuse', () => {
    it.each([
      ['/v1/Find', 'q', 'HUB-QRY-001'],
      ['/v1/Find?q=', 'q', 'HUB-QRY-001'],
      ['/v1/Find?q=%20', 'q', 'HUB-QRY-001'],
      [`/v1/Find?q=${'x'.repeat(501)}`, 'q', 'HUB-QRY-001'],
      ['/v1/Find?q=a&type=evnt', 'type', 'HUB-QRY-001'],
      ['/v1/Find?q=a&language=english', 'language', 'HUB-QRY-001'],
      ['/v1/Find?q=a&limitto=0', 'limitto', 'HUB-QRY-001'],
      ['/v1/Find?q=a&pagenumber=0', 'pagenumber', 'HUB-QRY-001'],
      ['/v1/Find?q=a&pagesize=0', 'pagesize', 'HUB-QRY-001'],
      ['/v1/Find?q=a&searchbasetext=maybe', 'searchbasetext', 'HUB-QRY-001'],
      ['/v1/Find?q=a&removenullvalues=1', 'removenullvalues', 'HUB-QRY-001'],
      ['/v1/Find?q=a&filteronfields=Tags.[*].Id', 'filteronfields', 'HUB-QRY-001'],
      ['/v1/Find?q=a&filteronfields=*', 'filteronfields', 'HUB-QRY-001'],
      ['/v1/Find?q=a&filteronfields=a..b', 'filteronfields', 'HUB-QRY-004'],
      ['/v1/Find?q=a&locfilter=here', 'locfilter', 'HUB-QRY-001'],
      ['/v1/Find?q=a&fields=A..b', 'fields', 'HUB-QRY-004'],
      ['/v1/Find?q=a&rawfilter=x', 'rawfilter', 'HUB-QRY-005'],
      ['/v1/Find?q=a&rawsort=-', 'rawsort', 'HUB-QRY-006'],
      ['/v1/Filter', 'expression', 'HUB-QRY-001'],
      ['/v1/Filter?expression=eq(A', 'expression', 'HUB-QRY-005'],
    ])('%s', async (url, parameter, errorCode) => {
      const response = await get(url)
      expect([url, response.statusCode]).toEqual([url, 400])
      expect(response.json()).toMatchObject({ errorCode, errors: [{ parameter }] })
    })

    it('an invalid expression, and report the position of the error', async () => {
      const body = (await get('/v1/Filter?expression=and(eq(A,1),eqq(B,2))')).json()
      expect(body.errors).toMatchObject([{ parameter: 'expression', position: 12 }])
      expect(body.detail).toMatch(/^expression: /)
    })
  })

  it('return pages that together contain every record once, for any titles', async () => {
    const word = fc.constantFrom('see', 'Seé', 'berg', 'a-see', 'x', 'ß')
    const titles = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(titles, fc.integer({ min: 1, max: 5 }), async (words, size) => {
        const mark = `q${String(round++)}`
        const named = words.map((parts, index) =>
          titled(`${mark}-${String(index)}`, `${parts.join(' ')} ${mark}`),
        )
        await storeContent(
          database(),
          'Article',
          named.filter((_, index) => index % 2 === 0),
        )
        await storeContent(
          database(),
          'SkiArea',
          named.filter((_, index) => index % 2 === 1),
        )
        const whole = await ask(`/v1/Find?q=${mark}&pagesize=100`)
        const keyOf = (item: Item) => String(item['Id']).toLowerCase()
        expect(whole.Items.map(keyOf).sort()).toEqual(named.map(({ Id }) => Id).sort())
        const pages: Item[] = []
        for (let page = 1; page <= whole.TotalPages * 100; page++) {
          const { Items, TotalResults } = await ask(
            `/v1/Find?q=${mark}&pagesize=${size}&pagenumber=${page}`,
          )
          expect(TotalResults).toBe(named.length)
          if (Items.length === 0) break
          pages.push(...Items)
        }
        expect(pages).toEqual(whole.Items)
      }),
      { numRuns: 15 },
    )
  })
})

let round = 0
