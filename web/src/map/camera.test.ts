import { expect, test } from 'vitest'
import { isWanted, paddingIn, toCamera, toNumbers, boxAround, joinBoxes } from './camera.ts'

test('A camera is written to and read from the numbers of the URL', () => {
  const camera = { latitude: 46.123456789, longitude: 11.3, zoom: 9.87654 }
  expect(toNumbers(camera)).toEqual([46.12346, 11.3, 9.88])
  expect(toCamera([46.12346, 11.3, 9.88])).toEqual({
    latitude: 46.12346,
    longitude: 11.3,
    zoom: 9.88,
  })
})

test.each([[undefined], [[1, 2]], [[91, 0, 3]], [[0, 200, 3]], [[0, 0, 99]], [[0, 0, -1]]])(
  'The numbers %j are not a valid camera',
  (numbers) => {
    expect(toCamera(numbers)).toBeUndefined()
  },
)

test.each([
  [0, 50],
  [90, 140],
  [390, 50 + 400 / 3],
])('A box is shown above an overlay on the lower %s pixels of a map', (covered, bottom) => {
  const padding = paddingIn({ clientWidth: 800, clientHeight: 400 }, covered)
  expect(padding).toEqual({ top: 50, left: 50, right: 50, bottom })
})

test('Movements by the user or a choice are intended, those of a resized map are not', () => {
  expect(isWanted({ originalEvent: {} })).toBe(true)
  expect(isWanted({ isWanted: true })).toBe(true)
  expect(isWanted({ originalEvent: undefined })).toBe(false)
  expect(isWanted({})).toBe(false)
})

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
])('The bounding box of %j is computed', (geometry, box) => {
  expect(boxAround(geometry)).toEqual(box)
})

test('An empty geometry has no bounding box', () => {
  expect(boxAround(null)).toBeUndefined()
  expect(boxAround({ type: 'MultiPoint', coordinates: [] })).toBeUndefined()
  expect(joinBoxes([undefined])).toBeUndefined()
})
