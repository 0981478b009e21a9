import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { filtersOf } from '../../src/content/filters/index.ts'
import { parametersOf, listParameters } from '../../src/content/parameters.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { houses, square } from '../fixtures/houses.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
/** Number of requests per engine; both together send 2,000. */
const requests = 1000

const odd = fc.constantFrom(
  ...[
    '0',
    '-1',
    '1e999',
    '2147483648',
    'NaN',
    ',',
    ',,',
    '()',
    'and(',
    'or(a,b)',
    "'",
    '"',
    '%',
    '_',
  ],
  ...[
    '\\',
    '\u{1f600}',
    '\ud800',
    '\u0001',
    'bbc(1,2,3,4)',
    'POINT(1 1)',
    'POINT(1 1);SRID=1',
    '[*]',
  ],
  ...[
    'A.[*].b',
    '$',
    'null',
    'true',
    "dt'2026-01-01'",
    'eq(A,1)',
    '-',
    '2026-02-30',
    'reg',
    'Infinity',
  ],
)

/**
 * Generates requests for a list with some of its parameters, with valid, invalid and odd values.
 */
const asked = fc.constantFrom(...entities).chain((entity) => {
  const examples = new Map(
    filtersOf(entity)
      .flatMap(({ parameters }) => parameters)
      .map(({ name, examples: { good, bad } }) => [name, [...good, ...bad]]),
  )
  const names = [
    ...new Set([
      ...Object.keys(listParameters.properties),
      ...Object.keys(parametersOf(entity, 'strict')),
    ]),
    ...['format', 'stream', 'bom'],
  ]
  const parameter = fc.constantFrom(...names).chain((name) => {
    const known = examples.get(name) ?? ['1', 'true', 'csv', 'de', 'Id,Detail.de.Title']
    const value = fc.oneof(
      fc.constantFrom(...known),
      odd,
      fc.string({ unit: 'binary', maxLength: 30 }),
    )
    return fc.tuple(fc.constantFrom(name, name.toUpperCase()), value)
  })
  return fc.record({
    entity: fc.constant(entity),
    parameters: fc.array(parameter, { minLength: 1, maxLength: 5 }),
    prefer: fc.constantFrom('', 'handling=strict'),
  })
})

/** Encodes as browsers do: a lone surrogate is sent as the replacement character. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

describeWithDatabase('lists with random parameters', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    for (const [name, records] of Object.entries({ Accommodation: houses, GeoShape: [square] })) {
      const entity = entities.find((one) => one.name === name)
      if (entity === undefined) throw new Error(name)
      const write = { entity, records, deletions: [], received: new Date(), provider: 'demo' }
      await database().transaction((tx) => storeRecords(tx, write))
    }
  })
  afterAll(() => app.close())

  it('return 200 or 400 within five seconds', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ entity, parameters, prefer }) => {
        const query = parameters.map(([name, value]) => `${name}=${encode(value)}`).join('&')
        const url = `/v1/${entity.path}?${query}`
        const begin = performance.now()
        const { statusCode, body } = await app.inject({
          url,
          headers: { authorization: 'Bearer admin', ...(prefer === '' ? {} : { prefer }) },
        })
        const isRight = statusCode === 200 || statusCode === 400
        expect([url, isRight ? 'right' : [statusCode, body.slice(0, 500)]]).toEqual([url, 'right'])
        expect(performance.now() - begin).toBeLessThan(5000)
      }),
      { numRuns: requests },
    )
  }, 60_000)
})
