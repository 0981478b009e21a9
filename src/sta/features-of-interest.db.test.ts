import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { fillWithPlaces } from '../../test/fixtures/near-places.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { fieldsOf, listOf } from '../lang/json.ts'
import { staRoutes } from './index.ts'

describeWithDatabase('Observations of a feature of interest', (database) => {
  let app: FastifyInstance
  const read = async (path: string) => fieldsOf((await app.inject(`/sta/v1.1${path}`)).json())
  const list = async (path: string) => listOf((await read(path))['value'])

  beforeAll(async () => {
    app = await createTestApp(staRoutes({ database: database(), publicUrl, visibilityOf }))
    await fillWithPlaces(database())
  })
  afterAll(() => app.close())

  it.each(['', 'phenomenonTime desc,id', 'phenomenonTime', 'result desc'])(
    'are those of the series of its station, in the order %j',
    async (order) => {
      const query = `$count=true&$select=id&$orderby=${encodeURIComponent(order)}`
      const wanted = await read(`/Observations?${query}&$filter=Datastream/Thing/id%20eq%201`)
      expect(wanted).toMatchObject({ '@iot.count': 3 })
      const path = `/FeaturesOfInterest(1)/Observations?${query}`
      expect(await read(path)).toEqual(wanted)
      const all = listOf(wanted['value'])
      expect(await list(`${path}&$top=1&$skip=1`)).toEqual(all.slice(1, 2))
      const options = ['$top=2', '$select=id', ...(order === '' ? [] : [`$orderby=${order}`])]
      const expand = encodeURIComponent(`Observations(${options.join(';')})`)
      const [feature] = await list(`/FeaturesOfInterest?$top=1&$expand=${expand}`)
      expect(feature?.['Observations']).toEqual(all.slice(0, 2))
      expect(feature).toHaveProperty('Observations@iot.nextLink')
    },
  )

  it('belong to a set whose cursors no other set accepts', async () => {
    const next = (await read('/FeaturesOfInterest?$top=1'))['@iot.nextLink']
    const query = new URL(String(next)).search
    const statusOf = async (set: string) =>
      (await app.inject(`/sta/v1.1/${set}${query}`)).statusCode
    expect([await statusOf('FeaturesOfInterest'), await statusOf('Things')]).toEqual([200, 400])
  })

  it.each([
    ['handling=strict', 50, 200],
    ['handling=strict', 2000, 400],
    ['handling=lenient', 2000, 200],
  ])('are clamped when expanded, with %s and a limit of %i: %i', async (prefer, most, status) => {
    const url = `/sta/v1.1/FeaturesOfInterest?$expand=Observations($top=${String(most)})`
    const answer = await app.inject({ url, headers: { prefer } })
    expect([answer.statusCode, answer.json().errors?.[0].parameter]).toEqual([
      status,
      status === 400 ? '$expand=Observations($top)' : undefined,
    ])
  })
})
