import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { filter } from '../entity.ts'
import type { Filter, Query, Reading } from '../entity.ts'
import { rejected } from '../filters/values.ts'
import { isShape, maxAreaLength, parseArea, resolveArea } from './area.ts'
import { printArea } from './geometry.ts'
import type { Area } from './geometry.ts'

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

const circleParameters: Filter['parameters'] = [
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
]

/**
 * Defines a filter for records in a circle on the globe, nearest first (interface 4.2, decision
 * D26). `place` is SQL for the position of a record.
 */
const circleFilterOn = (place: Sql): Filter => ({
  name: 'radius',
  parameters: circleParameters,
  read: ({ query }) => readCircle(query, place),
})

export const circleFilter = circleFilterOn(sql`position`)

function readCircle(query: Query, place: Sql): Reading | undefined {
  const { latitude: y, longitude: x, radius: metres } = query
  if (y === undefined && x === undefined && metres === undefined) return undefined
  if (typeof y !== 'number') throw incomplete('latitude')
  if (typeof x !== 'number') throw incomplete('longitude')
  const wanted = typeof metres === 'number' ? metres : defaultRadius
  const centre = centreAt(x, y)
  const condition = sql`st_dwithin(${place}, ${centre}, ${wanted})`
  return {
    text: `${String(x)} ${String(y)} within ${String(wanted)} m`,
    condition,
    likely: sql`case when ${condition} then true else false end`,
    isGeographic: true,
    ...(Math.abs(x) <= 90
      ? { swapped: sql`st_dwithin(${place}, ${centreAt(y, x)}, ${wanted})` }
      : {}),
    order: [
      {
        name: `distance ${String(x)} ${String(y)}`,
        // The great-circle distance, because the index returns rows in the order of that distance.
        value: sql`(${place} <-> ${centre})`,
        type: 'double precision',
        direction: 'ascending',
      },
    ],
  }
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

type Placed = {
  /** SQL for the position or outline of a record, in WGS 84. */
  readonly place: Sql
  /**
   * Condition for the records that a named shape selects. By default, those that intersect its
   * outline.
   */
  readonly named?: (shape: Exclude<Area, { kind: 'drawn' }>) => Sql
}

/** Defines a filter by area, for records at the given place. */
export const polygonFilterOn = ({ place, named }: Placed): Filter =>
  filter({
    name: 'polygon',
    schema: Type.String({
      maxLength: maxAreaLength,
      description:
        'Area: WKT, bbc(…) or bbi(…) with longitude-latitude pairs, Country.Type.Name or an identifier of /v1/GeoShapes; ;SRID=<number> specifies a coordinate system other than 4326',
    }),
    examples: {
      good: [
        'POLYGON((10 46,12 46,12 47,10 46))',
        'bbc(10 46,12 47)',
        'bbi(10,46,12,47);SRID=4326',
      ],
      bad: ['POLYGON((10 46,12 46,12 47))', 'bbc(10)', 'POINT(200 100)', 'POINT(1 1);SRID=999999'],
    },
    read: (written) => {
      const area = understood(() => parseArea(written))
      return async (references) => {
        const outline = await understoodLater(resolveArea(area, references))
        const clause = { text: printArea(area), isGeographic: true }
        if (named !== undefined && area.kind !== 'drawn')
          return { ...clause, condition: named(area) }
        const drawn = sql`${outline}::geometry`
        return {
          ...clause,
          condition: toCondition(place, area, drawn),
          swapped: toCondition(place, area, sql`st_flipcoordinates(${drawn})`),
        }
      }
    },
  })

/**
 * Filter for records within an area (interface 4.2, decision D26). It does not change the order.
 */
export const polygonFilter: Filter = polygonFilterOn({ place: sql`position::geometry` })

/**
 * Tolerance in degrees, about a millimetre, for records on a line or a point: these have no
 * interior.
 */
const near = 1e-8

function toCondition(map: Sql, area: Area, outline: Sql): Sql {
  if (area.kind === 'drawn') {
    if (area.relation === 'covers') return sql`st_coveredby(${map}, ${outline})`
    if (!/Polygon|Collection/.test(area.geometry.kind))
      return sql`st_dwithin(${map}, ${outline}, ${near})`
  }
  return sql`st_intersects(${map}, ${outline})`
}

function understood<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toAppError(error)
  }
}

function understoodLater<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw toAppError(error)
  })
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof LanguageError)) return error
  const { message, position, expected, hint } = error
  const issue = { parameter: 'polygon', detail: message, position, expected }
  return new AppError('HUB-QRY-010', message, {
    issues: [hint === undefined ? issue : { ...issue, hint }],
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  })
}

/**
 * Filter of shapes by area. A named shape selects itself (interface 4.7). An area that the caller
 * draws selects the shapes whose outlines intersect it or, for `bbc`, are within it.
 */
export const shapeFilter: Filter = polygonFilterOn({
  place: sql`content_outline(data)`,
  named: isShape,
})

/** Filter for shapes whose outlines intersect a circle. */
export const shapeCircle = circleFilterOn(sql`content_outline(data)::geography`)
