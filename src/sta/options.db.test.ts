import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { addStations } from '../../test/fixtures/near-stations.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { fieldsOf, objectsOf } from '../lang/json.ts'
import { staRoutes } from './index.ts'

describeWithDatabase('options of SensorThings', (database) => {
  let app: FastifyInstance
  const get = (path: string, headers = {}) => app.inject({ url: `/sta/v1.1/${path}`, headers })
  const namesOf = async (options: string) => {
    const { statusCode, body } = await get(`Things?${options}`)
    expect(statusCode, body).toBe(200)
    const { value } = fieldsOf(JSON.parse(body))
    return objectsOf(value).map(({ name }) => name)
  }
  const filtered = (condition: string) =>
    namesOf(`$orderby=name&$filter=${encodeURIComponent(condition)}`)

  beforeAll(async () => {
    app = await createTestApp(staRoutes({ database: database(), publicUrl, visibilityOf }))
    const station = (name: string, metadata: Readonly<Record<string, unknown>>) => ({
      code: name,
      name,
      metadata,
    })
    await addStations(database(), { type: 'EChargingPlug' }, [
      station('A', { capacity: 50, outlets: [{ maxPower: 22 }, { maxPower: 3 }] }),
      station('B', { capacity: 200, outlets: [{ maxPower: 50 }] }),
      station('C', { outlets: { 0: { maxPower: 11 } } }),
    ])
  })
  afterAll(() => app.close())

  it('follow paths into lists by the place of an element', async () => {
    expect(await filtered('properties/metadata/outlets/0/maxPower gt 20')).toEqual(['A', 'B'])
    expect(await filtered('properties/metadata/outlets/1/maxPower eq 3')).toEqual(['A'])
    const order = '$orderby=properties/metadata/outlets/0/maxPower desc'
    expect(await namesOf(order)).toEqual(['B', 'A', 'C'])
  })

  it.each([
    ['properties/metadata/capacity gt 100', ['B']],
    ['not (properties/metadata/capacity gt 100)', ['A', 'C']],
    ['not not (properties/metadata/capacity gt 100)', ['B']],
    ['not (properties/metadata/capacity eq 200)', ['A', 'C']],
    ["not (properties/metadata/capacity le 50 or name eq 'B')", ['C']],
    ['(properties/metadata/capacity lt 100) eq false', ['B', 'C']],
    ["not startswith(properties/metadata/city, 'B')", []],
  ])('compare nothing as false: %s', async (condition, names) => {
    expect(await filtered(condition)).toEqual(names)
  })

  it.each([
    ['Things(1)?$skip=1&$select=name', '%24skip', { name: 'A' }],
    ["Things(1)?$filter=name eq 'B'&$top=0", '%24filter, %24top', { name: 'A' }],
    ["Things(1)/name?$filter=name eq 'B'", '%24filter', { name: 'A' }],
    ['Things(1)/name?$select=id', '%24select', { name: 'A' }],
    ['Things/$ref?$top=1&$expand=Datastreams', '%24expand', {}],
  ])('are ignored where they have no effect: %s', async (path, ignored, expected) => {
    const { statusCode, headers, body } = await get(path)
    expect([statusCode, headers['x-ignored-parameters']], body).toEqual([200, ignored])
    expect(JSON.parse(body)).toMatchObject(expected)
    expect((await get(path, { prefer: 'handling=strict' })).json()).toMatchObject({
      ...{ status: 400, errorCode: 'HUB-QRY-003' },
    })
  })
})
