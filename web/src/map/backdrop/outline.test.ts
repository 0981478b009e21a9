import { expect, test } from 'vitest'
import { toBackdrop, toLabel } from './outline.ts'
import type { Outline } from './outline.ts'

const shape = (
  Type: string | null,
  Name: string | null,
  [west, size]: readonly [number, number] = [0, 1],
): Outline => ({
  type: 'Feature',
  properties: { Type, Name },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, 0],
        [west + size, 0],
        [west + size, size],
        [west, size],
        [west, 0],
      ],
    ],
  },
})

const outlines = [
  shape('municipality', 'A', [0, 1]),
  shape('municipality', 'B', [1, 1]),
  shape('municipality', 'C', [2, 1]),
  shape('province', 'All', [0, 3]),
  shape('region', 'West', [0, 2]),
  shape('region', 'East', [2, 1]),
]

test('The whole is drawn first, then its parts, then theirs', () => {
  const { shapes, ranks } = toBackdrop(outlines)
  expect(ranks).toBe(3)
  expect(shapes.features.map(({ properties }) => properties.rank)).toEqual([0, 1, 1, 2, 2, 2])
})

test('The box is that of all shapes, and none of nothing', () => {
  expect(toBackdrop(outlines).box).toEqual([0, 0, 3, 3])
  expect(toBackdrop([]).box).toBeUndefined()
})

test('Shapes without a name have no label, and a hub without shapes has none at all', () => {
  expect(toBackdrop([shape('region', null)]).labels.features).toEqual([])
  expect(toBackdrop([]).labels.features).toEqual([])
})

test.each([
  ['Bozen/Bolzano', 'Bozen\nBolzano'],
  ['Bozen / Bolzano', 'Bozen\nBolzano'],
  ['Lana', 'Lana'],
  ['Lana/', 'Lana'],
])('The name %s is written as %j', (name, label) => {
  expect(toLabel(name)).toBe(label)
})
