import { expect, test } from 'vitest'
import { boxAround, joinBoxes } from './box.ts'

test.each([
  [{ type: 'Point' as const, coordinates: [1, 2, 300] }, [1, 2, 1, 2]],
  [
    {
      type: 'LineString' as const,
      coordinates: [
        [1, 5],
        [3, 2],
      ],
    },
    [1, 2, 3, 5],
  ],
  [
    {
      type: 'GeometryCollection' as const,
      geometries: [
        { type: 'Point' as const, coordinates: [9, 9] },
        { type: 'MultiPoint' as const, coordinates: [[-1, 0]] },
      ],
    },
    [-1, 0, 9, 9],
  ],
])('The box of %j', (geometry, box) => {
  expect(boxAround(geometry)).toEqual(box)
})

test('There is no box around nothing', () => {
  expect(boxAround(null)).toBeUndefined()
  expect(boxAround({ type: 'MultiPoint', coordinates: [] })).toBeUndefined()
  expect(joinBoxes([undefined])).toBeUndefined()
})
