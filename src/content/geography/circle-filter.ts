import { Type } from 'typebox'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Filter } from '../filters/filter.ts'
import { rejected } from '../filters/reject.ts'

const defaultRadius = 150_000

const latitude = Type.Number({
  minimum: -90,
  maximum: 90,
  description: 'Latitude of the centre of a circle, degrees (WGS 84)',
})

const longitude = Type.Number({
  minimum: -180,
  maximum: 180,
  description: 'Longitude of the centre of a circle, degrees (WGS 84)',
})

const radius = Type.Integer({
  minimum: 1,
  maximum: 20_037_508,
  description: `Radius of the circle, metres; ${String(defaultRadius)} when only a centre is given. Nearest records first`,
})

/** Records in a circle on the globe, nearest first (interface 4.2, decision D26). */
export const circleFilter: Filter = {
  name: 'radius',
  parameters: [
    {
      name: 'latitude',
      schema: latitude,
      examples: { good: ['46.5'], bad: ['north', '91', '-90.5'] },
      beside: 'longitude=11.3',
    },
    {
      name: 'longitude',
      schema: longitude,
      examples: { good: ['11.3'], bad: ['east', '181', '-180.5'] },
      beside: 'latitude=46.5',
    },
    {
      name: 'radius',
      schema: radius,
      examples: { good: ['1000'], bad: ['far', '0', '-5', '1.5', '20037509'] },
      beside: 'latitude=46.5&longitude=11.3',
    },
  ],
  read: ({ query }) => {
    const { latitude: y, longitude: x, radius: metres } = query
    if (y === undefined && x === undefined && metres === undefined) return undefined
    if (typeof y !== 'number') throw incomplete('latitude')
    if (typeof x !== 'number') throw incomplete('longitude')
    const wanted = typeof metres === 'number' ? metres : defaultRadius
    const centre = centreAt(x, y)
    const condition = sql`st_dwithin(position, ${centre}, ${wanted})`
    return {
      text: `${String(x)} ${String(y)} within ${String(wanted)} m`,
      condition,
      likely: sql`case when ${condition} then true else false end`,
      isGeographic: true,
      ...(Math.abs(x) <= 90
        ? { swapped: sql`st_dwithin(position, ${centreAt(y, x)}, ${wanted})` }
        : {}),
      order: [
        {
          name: `distance ${String(x)} ${String(y)}`,
          // Along great circles, because that is the distance that the index gives in order.
          value: sql`(position <-> ${centre})`,
          type: 'double precision',
          direction: 'ascending',
        },
      ],
    }
  },
}

function centreAt(x: number, y: number): Sql {
  return sql`st_setsrid(st_makepoint(${x}, ${y}), 4326)::geography`
}

function incomplete(parameter: string) {
  return rejected({
    parameter,
    detail: 'is missing: a circle needs latitude and longitude',
    expected: ['latitude, longitude and perhaps radius'],
  })
}
