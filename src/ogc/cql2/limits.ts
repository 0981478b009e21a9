import type { Geometry } from '../../content/index.ts'
import { LanguageError } from '../../lang/index.ts'
import type { Literal } from './ast.ts'

/** Characters of a filter. */
export const longest = 8000
/** Levels of parentheses and negations. */
export const deepest = 30
/** Predicates, and values of lists. */
const mostTerms = 500

export type Limits = { terms: number }

export function limited(): Limits {
  return { terms: 0 }
}

/** @throws LanguageError when there are too many */
export function count(limits: Limits, position: number): void {
  limits.terms += 1
  if (limits.terms <= mostTerms) return
  throw new LanguageError(`A filter takes at most ${String(mostTerms)} predicates and values.`, {
    position,
  })
}

const day = /^\d{4}-\d{2}-\d{2}$/
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i

/** @throws LanguageError for what is no moment */
export function toMoment(
  kind: 'time' | 'date',
  value: string,
  position: number,
): Extract<Literal, { kind: 'time' | 'date' }> {
  const form = kind === 'date' ? day : time
  if (form.test(value) && isThere(value)) return { kind, value }
  const expected = kind === 'date' ? '2026-11-25' : '2026-11-25T12:00:00Z'
  throw new LanguageError(`${JSON.stringify(value)} is not a ${kind}.`, {
    position,
    expected: [expected],
  })
}

/** The 30th of February is not. */
function isThere(value: string): boolean {
  const [written = ''] = value.split('T')
  const parsed = new Date(`${written}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(written)) return false
  return !Number.isNaN(new Date(value).getTime())
}

/** A box as an area: four numbers, or six with heights, which say nothing here. @throws LanguageError */
export function boxOf(numbers: readonly number[], position: number): Geometry {
  const [west, south, east, north] =
    numbers.length === 6 ? [numbers[0], numbers[1], numbers[3], numbers[4]] : numbers
  const isWhole = numbers.length === 4 || numbers.length === 6
  if (!isWhole || west === undefined || south === undefined) throw notABox(position)
  if (east === undefined || north === undefined || south > north) throw notABox(position)
  if (![west, south, east, north].every(Number.isFinite)) throw notABox(position)
  const ring = (from: number, to: number) =>
    [
      [from, south],
      [to, south],
      [to, north],
      [from, north],
      [from, south],
    ] as const
  if (west <= east) return { kind: 'Polygon', lines: [ring(west, east)] }
  // Over the antimeridian.
  return { kind: 'MultiPolygon', polygons: [[ring(west, 180)], [ring(-180, east)]] }
}

function notABox(position: number): LanguageError {
  return new LanguageError(
    'A box has four numbers: west, south, east, north; or six with heights.',
    {
      position,
      expected: ['BBOX(11,46,12,47)'],
    },
  )
}
