import { LanguageError } from '../../lang/index.ts'
import type { Geometry, Position } from './area.ts'
import { assertRing } from './parse-wkt.ts'

const number = /^[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?$/i

/**
 * What stands behind `bbc` and `bbi`: pairs of longitude and latitude with commas, `10 46,12 47`, or
 * the numbers one by one, `10,46,12,47`; parentheses do not count. Two pairs are the corners of a box,
 * more are a ring, which is closed when it is not (decision D26). Corners may come in any order, unless
 * the box would go around more than half of the earth: then it is the one over the antimeridian, with
 * its western edge first (RFC 7946, section 5.2).
 * @param start offset of the text in the parameter, for messages
 * @throws LanguageError with the position
 */
export function parseBox(
  text: string,
  { start, srid }: { readonly start: number; readonly srid: number },
): Geometry {
  const fail = (message: string, hint?: string) =>
    new LanguageError(message, {
      position: start,
      expected: ['pairs of longitude and latitude, such as 10.4 46.2,12.5 47.1'],
      ...(hint === undefined ? {} : { hint }),
    })
  const pieces = text
    .replace(/[()]/g, ' ')
    .split(',')
    .map((piece) => piece.trim().split(/\s+/))
  const numbers = pieces.flat()
  const odd = numbers.find((piece) => !number.test(piece))
  if (odd !== undefined) throw fail(`${JSON.stringify(odd)} is no number.`)
  const isPaired = pieces.every((piece) => piece.length === 2)
  const isSingle = pieces.every((piece) => piece.length === 1) && numbers.length % 2 === 0
  if (!isPaired && !isSingle) throw fail('The numbers do not make pairs.')
  const positions = toPairs(numbers.map(Number))
  if (positions.length < 2) throw fail('A box needs two corners at least.')
  const [[west] = [0], [east] = [0]] = positions
  const isOver = positions.length === 2 && srid === 4326 && west - east > 180
  if (isOver) return overAntimeridian(positions)
  const ring = positions.length === 2 ? toBox(positions) : closed(positions)
  assertRing(ring, start)
  return { kind: 'Polygon', lines: [ring] }
}

function toPairs(numbers: readonly number[]): readonly Position[] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => [
    numbers[2 * index] ?? 0,
    numbers[2 * index + 1] ?? 0,
  ])
}

function toBox(corners: readonly Position[]): readonly Position[] {
  const [[left, bottom] = [0, 0], [right, top] = [0, 0]] = corners
  return [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ]
}

function overAntimeridian([from = [0, 0], to = [0, 0]]: readonly Position[]): Geometry {
  const [, bottom] = from
  const [east, top] = to
  const halves = [
    toBox([from, [180, top]]),
    toBox([
      [-180, bottom],
      [east, top],
    ]),
  ]
  return { kind: 'MultiPolygon', polygons: halves.map((ring) => [ring]) }
}

function closed(positions: readonly Position[]): readonly Position[] {
  const [first] = positions
  const last = positions.at(-1)
  if (first === undefined || (first[0] === last?.[0] && first[1] === last[1])) return positions
  return [...positions, first]
}
