import { describe, expect, it } from 'vitest'
import { toShape } from './geometry.ts'

const point = { type: 'Point', coordinates: [11.3, 46.5] }

/** Nests a point in the given number of collections. */
const nested = (levels: number) =>
  Array.from({ length: levels }).reduce<object>(
    (inner) => ({ type: 'GeometryCollection', geometries: [inner] }),
    point,
  )

describe('A geometry of a table', () => {
  it('may be a collection in a collection', () => {
    expect(toShape(nested(2))).toMatchObject({ type: 'GeometryCollection', geometry: nested(2) })
  })

  it('is missing when collections are nested too deep', () => {
    expect(toShape(nested(33))).toBeUndefined()
    expect(toShape(nested(100_000))).toBeUndefined()
  })

  it('keeps heights if every position has one, and drops further coordinates', () => {
    const line = (...coordinates: readonly (readonly number[])[]) => ({
      type: 'LineString',
      coordinates,
    })
    expect(toShape(line([1, 2, 3, 4], [5, 6, 7]))).toEqual({
      geometry: line([1, 2, 3], [5, 6, 7]),
      type: 'LineString Z',
      bounds: expect.objectContaining({ low: [1, 2, 3], high: [5, 6, 7] }),
    })
    expect(toShape(line([1, 2, 3], [5, 6]))).toMatchObject({ geometry: line([1, 2], [5, 6]) })
  })

  it.each([
    null,
    {},
    { type: 'Point', coordinates: ['1', 2] },
    { type: 'MultiPoint', coordinates: [] },
  ])('is missing for %j', (value) => {
    expect(toShape(value)).toBeUndefined()
  })
})
