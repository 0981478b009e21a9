import { expect, test } from 'vitest'
import { toTints } from './outline.ts'

const square = (x: number, y: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [x, y],
      [x + 1, y],
      [x + 1, y + 1],
      [x, y + 1],
      [x, y],
    ],
  ],
})

test('Neighbours have different tints', () => {
  const grid = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => square(x, y)))
  const tints = toTints(grid, 4)
  for (const [index, tint] of tints.entries()) {
    const [x, y] = [Math.floor(index / 3), index % 3]
    if (x < 2) expect(tint).not.toBe(tints[index + 3])
    if (y < 2) expect(tint).not.toBe(tints[index + 1])
  }
})

test('Shapes that touch nothing use all tints', () => {
  expect(new Set(toTints([square(0, 0), square(5, 0), square(9, 0)], 3)).size).toBe(3)
})

test('Too few tints are still used', () => {
  expect(toTints([square(0, 0), square(1, 0)], 1)).toEqual([0, 0])
})
