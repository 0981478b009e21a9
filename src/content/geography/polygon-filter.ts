import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { filter } from '../filters/filter.ts'
import type { Filter } from '../filters/filter.ts'
import type { Area } from './area.ts'
import { longestArea, parseArea } from './parse-area.ts'
import { printArea } from './print.ts'
import { resolveArea } from './resolve-area.ts'

type Placed = {
  /** Where a record is, in WGS 84. */
  readonly place: Sql
  /** Which records a shape stands for; those that meet its outline where this is absent. */
  readonly named?: (shape: Exclude<Area, { kind: 'drawn' }>) => Sql
}

/** A filter by an area, for records whose place is this. */
export const polygonFilterOn = ({ place, named }: Placed): Filter =>
  filter({
    name: 'polygon',
    schema: Type.String({
      maxLength: longestArea,
      description:
        'Area: WKT, bbc(…) or bbi(…) with longitude-latitude pairs, Country.Type.Name or an identifier of /v1/GeoShapes; ;SRID=<number> names another coordinate system than 4326',
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

/** Records within an area (interface 4.2, decision D26). It does not change the order. */
export const polygonFilter: Filter = polygonFilterOn({ place: sql`position::geometry` })

/** Lines and points have no inside: what lies on them, give or take a millimetre. */
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
