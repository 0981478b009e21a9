import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBudget, createLine } from './create-line.ts'
import { createShapeList, printShapes, together } from './geometry.ts'
import type { Shape } from './geometry.ts'

/** Lines, of which some are long enough to be several pieces. */
const line = fc.integer({ min: 1, max: 1500 }).map((length) => {
  const made = createLine(createBudget())
  for (let x = 0; x < length; x++) {
    const written = { longitude: String(x / 10), latitude: '46.5' }
    made.add(written, () => ({ line: 1, column: 1 }))
  }
  return made
})
const shape: fc.Arbitrary<Shape> = fc.oneof(
  line.map((one): Shape => ({ kind: 'LineString', line: one })),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((rings): Shape => ({ kind: 'Polygon', rings })),
)
const coordinatesOf = (one: Shape): unknown =>
  one.kind === 'Polygon'
    ? one.rings.map((ring) => positionsOf(ring.pieces()))
    : positionsOf(one.line.pieces())
const positionsOf = (pieces: readonly string[]): unknown => JSON.parse(`[${pieces.join()}]`)

describe('The geometries of a file', () => {
  it('are printed unchanged and in order, at any length', () => {
    fc.assert(
      fc.property(fc.array(fc.array(shape, { maxLength: 6 }), { maxLength: 3 }), (parts) => {
        const lists = parts.map((shapes) => {
          const list = createShapeList()
          list.add(shapes)
          return list.all()
        })
        const all = together(lists)
        const expected = parts.flat()
        expect(all.count).toBe(expected.length)
        if (expected.length === 0) return
        const text = [...printShapes(all)].join('')
        expect(JSON.parse(text)).toEqual(toGeoJson(expected))
      }),
      { numRuns: 50 },
    )
  })
})

function toGeoJson(shapes: readonly Shape[]): object {
  const geometries = shapes.map((one) => ({ type: one.kind, coordinates: coordinatesOf(one) }))
  const [first] = geometries
  if (first === undefined || geometries.length === 1) return first ?? {}
  const isOfOneKind = geometries.every(({ type }) => type === first.type)
  if (!isOfOneKind) return { type: 'GeometryCollection', geometries }
  return {
    type: `Multi${first.type}`,
    coordinates: geometries.map(({ coordinates }) => coordinates),
  }
}
