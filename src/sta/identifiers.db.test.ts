import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { fillWithPlaces } from '../../test/fixtures/near-places.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { objectsOf } from '../lang/json.ts'
import { staRoutes } from './index.ts'

describeWithDatabase('identifiers of SensorThings', (database) => {
  let app: FastifyInstance
  let ids: readonly string[]
  const get = (path: string) => app.inject({ url: `/sta/v1.1${path}` })
  const idsOf = async (set: string, condition: string) => {
    const query = `$select=id&$orderby=id&$filter=${encodeURIComponent(condition)}`
    const { statusCode, body } = await get(`/${set}?${query}`)
    expect(statusCode, body).toBe(200)
    const { value }: { value?: unknown } = JSON.parse(body)
    return objectsOf(value).map((one) => String(one['@iot.id']))
  }
  beforeAll(async () => {
    app = await createTestApp(staRoutes({ database: database(), publicUrl, visibilityOf }))
    await fillWithPlaces(database())
    ids = await idsOf('Observations', 'id ge 0')
  })
  afterAll(() => app.close())

  it('finds observations by all digits of the identifier, with or without quotes', async () => {
    expect(ids.length).toBeGreaterThan(3)
    const [first = '', second = ''] = ids
    expect(await idsOf('Observations', `id eq '${second}'`)).toEqual([second])
    expect(await idsOf('Observations', `${second} eq id`)).toEqual([second])
    expect(await idsOf('Observations', `id eq ${first} or id eq '${second}'`)).toEqual([
      ...[first, second],
    ])
    // As JavaScript numbers these would be equal.
    expect(Number(`${second}.001`)).toBe(Number(second))
    expect(await idsOf('Observations', `id eq ${second}.001`)).toEqual([])
    expect(await idsOf('Observations', `id eq ${String(BigInt(second) + 1n)}`)).toEqual([])
    expect(await idsOf('Observations', "id eq 'abc'")).toEqual([])
    expect(await idsOf('Datastreams', `Observations/id eq ${second}`)).toHaveLength(1)
  })

  it('compares observations in the order of their identifiers', async () => {
    const [, second = '', third = ''] = ids
    expect(await idsOf('Observations', `id gt '${second}'`)).toEqual(ids.slice(2))
    expect(await idsOf('Observations', `${third} gt id`)).toEqual(ids.slice(0, 2))
    expect(await idsOf('Observations', `id ne ${second}`)).toEqual(ids.toSpliced(1, 1))
    expect(await idsOf('Observations', "id ne 'abc'")).toEqual(ids)
  })

  it.each(["contains(id, '1')", 'id add 1 gt 5', "id gt 'abc'", 'id eq result'])(
    'refuses to filter observations by %s, which would read every value',
    async (condition) => {
      const { statusCode, body } = await get(
        `/Observations?$filter=${encodeURIComponent(condition)}`,
      )
      expect([statusCode, body]).toEqual([400, expect.stringContaining('identifier')])
    },
  )

  it.each([
    ['Things(1)/properties/metadata/cap', 'metadata'],
    ['Things(1)/name/$value/x', 'x'],
    ['Things/$ref/y', 'y'],
  ])('names the superfluous segment of %s', async (path, surplus) => {
    const { statusCode, body } = await get(`/${path}`)
    expect([statusCode, body]).toEqual([404, expect.stringContaining(`no \\"${surplus}\\" at`)])
  })

  it('compares the other identifiers as numbers', async () => {
    expect(await idsOf('Things', 'id eq 3')).toEqual(['3'])
    expect(await idsOf('Things', "id lt '3'")).toEqual(['1', '2'])
    expect(await idsOf('Things', 'id gt 2.5 and id le 3')).toEqual(['3'])
    expect(await idsOf('Things', 'id eq 99999999999')).toEqual([])
    expect(await idsOf('Datastreams', "Thing/id eq '1'")).toHaveLength(2)
  })
})
