import { describe, expect, it } from 'vitest'
import { objectsOf } from '../../lang/json.ts'
import type { Ask } from '../ask-hub.ts'
import { findNearest } from './around.ts'

const degree = 111_195

/** Fakes a hub with stations due north of the place, at these distances in metres. */
function stationsAt(distances: readonly number[]): Ask {
  const dataset = {
    ...{ id: 'timeseries/ParkingStation', type: 'ParkingStation', service: 'timeseries' },
    links: { list: '/v2/flat/ParkingStation' },
  }
  const answer = (body: object) => ({
    ...{
      request: '',
      body: { ...body },
      withheld: undefined,
      ignored: undefined,
      cursor: undefined,
    },
  })
  return (path, { where, select, limit } = {}) => {
    if (path === '/catalogue') return Promise.resolve(answer({ datasets: [dataset] }))
    const [, radius] = /dlt\.\((\d+),/.exec(String(where)) ?? []
    const inside = distances.filter((distance) => distance <= Number(radius))
    if (select === 'count') return Promise.resolve(answer({ data: [{ count: inside.length }] }))
    const data = inside.slice(0, Number(limit)).map((distance) => ({
      ...{ scode: String(distance), sname: '' },
      scoordinate: { x: 11, y: 46 + distance / degree },
    }))
    return Promise.resolve(answer({ data }))
  }
}

const now = () => new Date('2026-11-20T12:00:00Z')

async function nearest(distances: readonly number[], radius: number) {
  const given = {
    dataset: 'ParkingStation',
    latitude: 46,
    longitude: 11,
    radius,
    fields: ['sname'],
  }
  const ask = stationsAt(distances)
  const { data, total } = await findNearest.run({ ...given, limit: 3 }, { ask, now })
  return { total, codes: objectsOf(data['items']).map(({ scode }) => scode) }
}

const from = (metres: number, count: number) =>
  Array.from({ length: count }, (_, place) => metres + count - place)

describe('find_nearest with more stations than can be sorted at once', () => {
  it.each([
    ['in a ring', from(5000, 3000), 10_000, ['5001', '5002', '5003']],
    ['in a ring with two in its middle', [...from(5000, 3000), 9, 7], 10_000, ['7', '9', '5001']],
    ['at one place', [...Array.from({ length: 1500 }, () => 50), 49], 1000, ['49', '50', '50']],
  ])('finds the nearest ones %s', async (_, distances, radius, codes) => {
    expect(await nearest(distances, radius)).toEqual({ total: distances.length, codes })
  })
})
