import type { Geometry } from '../../content/index.ts'
import { LanguageError } from '../../lang/index.ts'
import type { ReferenceSystem } from '../reference-systems.ts'
import type { Box, Literal } from './ast.ts'

/** Maximum length of a filter, in characters. */
export const longest = 8000
/** Maximum depth of parentheses and negations. */
export const maxDepth = 30
/** Maximum number of predicates and values of lists. */
const maxTerms = 500

export type Limits = { terms: number }

export function limited(): Limits {
  return { terms: 0 }
}

/**
 * Counts one more predicate or value.
 * @throws LanguageError if there are too many
 */
export function count(limits: Limits, position: number): void {
  limits.terms += 1
  if (limits.terms <= maxTerms) return
  throw new LanguageError(`A filter takes at most ${String(maxTerms)} predicates and values.`, {
    position,
  })
}

/** Dates and times of the years that the database and the calendar have in common. */
const day = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const time =
  /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i

/**
 * Parses a day of the calendar or a time of RFC 3339. The value is returned in capital letters.
 * @returns undefined if it is neither
 */
export function momentOf(written: string): Extract<Literal, { kind: 'time' | 'date' }> | undefined {
  const value = written.toUpperCase()
  const [date = ''] = value.split('T')
  const isThere = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(isThere.getTime()) || !isThere.toISOString().startsWith(date)) return undefined
  if (day.test(value)) return { kind: 'date', value }
  const instant = new Date(value)
  const isTime = time.test(value) && !Number.isNaN(instant.getTime())
  const year = isTime ? instant.getUTCFullYear() : 0
  return year >= 1 && year <= 9999 ? { kind: 'time', value } : undefined
}

/**
 * Parses a moment of this kind.
 * @throws LanguageError if it is not a valid one
 */
export function toMoment(
  kind: 'time' | 'date',
  written: string,
  position: number,
): Extract<Literal, { kind: 'time' | 'date' }> {
  const moment = momentOf(written)
  if (moment?.kind === kind) return moment
  const expected = kind === 'date' ? '2026-11-25' : '2026-11-25T12:00:00Z'
  throw new LanguageError(`${JSON.stringify(written)} is not a valid ${kind}.`, {
    position,
    expected: [expected],
  })
}

/**
 * Builds a box from four numbers, or from six with heights, which are ignored.
 * @throws LanguageError
 */
export function boxOf(numbers: readonly number[], position: number): Box {
  const [a, b, c, d] =
    numbers.length === 6 ? [numbers[0], numbers[1], numbers[3], numbers[4]] : numbers
  const isWhole = numbers.length === 4 || numbers.length === 6
  if (!isWhole || a === undefined || b === undefined) throw notABox(position)
  if (c === undefined || d === undefined) throw notABox(position)
  if (!numbers.every(Number.isFinite)) throw notABox(position)
  return { kind: 'box', corners: [a, b, c, d], position }
}

/**
 * Converts a box to an area, longitude or easting first.
 * @throws LanguageError if the corners do not form a box
 */
export function areaOf({ corners, position }: Box, { isLatitudeFirst, srid }: Axes): Geometry {
  const [a, b, c, d] = corners
  const [west, south, east, north] = isLatitudeFirst ? [b, a, d, c] : [a, b, c, d]
  // Only degrees wrap around the earth.
  if (south > north || (west > east && srid !== degrees)) throw notABox(position)
  const ring = (from: number, to: number) =>
    [
      [from, south],
      [to, south],
      [to, north],
      [from, north],
      [from, south],
    ] as const
  if (west <= east) return { kind: 'Polygon', lines: [ring(west, east)] }
  // The box crosses the antimeridian.
  return { kind: 'MultiPolygon', polygons: [[ring(west, 180)], [ring(-180, east)]] }
}

type Axes = Pick<ReferenceSystem, 'isLatitudeFirst' | 'srid'>

const degrees = 4326

function notABox(position: number): LanguageError {
  return new LanguageError(
    'A box has four numbers: west, south, east, north; or six with heights.',
    {
      position,
      expected: ['BBOX(11,46,12,47)'],
    },
  )
}
