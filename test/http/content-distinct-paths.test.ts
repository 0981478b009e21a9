import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContent, storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'

describeWithDatabase('Distinct', (database) => {
  let app: FastifyInstance
  const get = (query: string) => app.inject(`/v1/Distinct?${query}`)

  beforeAll(async () => {
    app = await openContent(database())
  })
  afterAll(() => app.close())

  describe('refuses', () => {
    it.each([
      ['no type', 'fields=Id', 'type', 'HUB-QRY-001'],
      ['no fields', 'type=tag', 'fields', 'HUB-QRY-001'],
      ['an unknown type', 'type=tagg&fields=Id', 'type', 'HUB-QRY-001'],
      [
        'several fields as an array',
        'type=tag&fields=Id,Kind&getasarray=true',
        'getasarray',
        'HUB-QRY-001',
      ],
      ['several fields with elements', 'type=tag&fields=Id,Types.[*]', 'fields', 'HUB-QRY-001'],
      ['several fields with members', 'type=tag&fields=Id,TagName.*', 'fields', 'HUB-QRY-001'],
      [
        'several fields through arrays',
        'type=event&fields=Tags.Id,EventDate.From',
        'fields',
        'HUB-QRY-001',
      ],
      [
        'a field through an array',
        'type=accommodation&fields=Id,AccoRoomInfo.Id',
        'fields',
        'HUB-QRY-001',
      ],
      ['a bad path', 'type=tag&fields=A..b', 'fields', 'HUB-QRY-004'],
      [
        'too many fields',
        `type=tag&fields=${Array.from({ length: 21 }, (_, n) => `F${n}`).join()}`,
        'fields',
        'HUB-QRY-001',
      ],
      ['addresses', 'type=tag&fields=Self', 'fields', 'HUB-QRY-001'],
      ['an order by another field', 'type=tag&fields=Kind&rawsort=Kid', 'rawsort', 'HUB-QRY-001'],
      ['a bad order', 'type=tag&fields=Kind&rawsort=-', 'rawsort', 'HUB-QRY-006'],
      ['a bad filter', 'type=tag&fields=Kind&rawfilter=x', 'rawfilter', 'HUB-QRY-005'],
      ['a bad flag', 'type=tag&fields=Kind&getasarray=maybe', 'getasarray', 'HUB-QRY-001'],
      ['a bad page', 'type=tag&fields=Kind&pagenumber=0', 'pagenumber', 'HUB-QRY-001'],
      [
        'a bad page size',
        'type=tag&fields=Kind&pagenumber=1&pagesize=-1',
        'pagesize',
        'HUB-QRY-001',
      ],
      ['a bad tag filter', 'type=tag&fields=Kind&tagfilter=and(a', 'tagfilter', 'HUB-QRY-011'],
    ])('%s', async (_what, query, parameter, errorCode) => {
      const response = await get(query)
      expect([query, response.statusCode]).toEqual([query, 400])
      expect(response.json()).toMatchObject({ errorCode, errors: [{ parameter }] })
    })

    it('neither whole arrays nor one of their elements', async () => {
      const response = await get('type=event&fields=Tags,EventDate[0].From,Detail.de.Title')
      expect(response.statusCode).toBe(200)
    })

    it('an unknown type with a suggestion', async () => {
      const { errors } = (await get('type=acommodation&fields=Id')).json()
      expect(errors[0].hint).toBe('Did you mean Accommodation?')
    })
  })

  it('matches a reference implementation for random records and paths', async () => {
    const names = fc.constantFrom('A', 'B', 'de', 'x y', '"', '0')
    const leaf = fc.oneof(fc.constantFrom(null, true, 0, 1.5, '', '1', 'ä', '\\', '"'), fc.nat(3))
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 3 }),
      ),
    }))
    const step = fc.oneof(
      names.map((name) => `['${name}']`),
      fc.constantFrom('[*]', '*', '[0]', '[1]'),
    )
    const paths = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => ["['P']", ...steps])
    const records = fc.array(tree, { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(records, paths, async (trees, path) => {
        const kind = `k${String(count++)}`
        await storeContent(
          database(),
          'Article',
          trees.map((P, index) => ({ Id: `${kind}-${String(index)}`, Kind: kind, P })),
        )
        const query = new URLSearchParams({
          type: 'article',
          fields: path.join('.'),
          getasarray: 'true',
          rawfilter: `eq(Kind,'${kind}')`,
        })
        const expected = new Set(trees.flatMap((P) => follow({ P }, path)).map(toText))
        const found: unknown[] = (await get(String(query))).json()
        expect(new Set(found).size).toBe(found.length)
        expect(new Set(found.map(normal))).toEqual(new Set([...expected].map(normal)))
      }),
      { numRuns: 60 },
    )
  })
})

let count = 0

/**
 * Reference implementation of a path: steps into arrays on the way, and treats a single value as an
 * array of one.
 */
function follow(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value]
  return stepInto(value, step).flatMap((next) => follow(next, rest))
}

function stepInto(value: unknown, step: string): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (step === '[*]') return list
  const index = /^\[(\d)\]$/.exec(step)?.[1]
  if (index !== undefined) return list.slice(Number(index), Number(index) + 1)
  const objects = list.filter(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
  )
  if (step === '*') return objects.flatMap((one) => Object.values(one ?? {}))
  const name = step.slice(2, -2)
  return objects.flatMap((one) =>
    Object.entries(one ?? {}).flatMap(([key, member]): unknown[] => (key === name ? [member] : [])),
  )
}

function toText(value: unknown): string | null {
  if (value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Normalizes printed objects, which may differ in the order of members and in whitespace. */
function normal(text: unknown): unknown {
  if (typeof text !== 'string' || !/^[[{]/.test(text)) return text
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    return Object.entries(value)
      .map(([name, member]) => [name, sorted(member)])
      .sort()
  }
  return JSON.stringify(sorted(JSON.parse(text)))
}
