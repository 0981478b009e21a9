import { expect, test } from 'vitest'
import { toBackdrop, toLabel, labelPoint, toTints } from './outline.ts'
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

test('Larger regions are drawn first, then their parts', () => {
  const { shapes, ranks } = toBackdrop(outlines)
  expect(ranks).toBe(3)
  expect(shapes.features.map(({ properties }) => properties.rank)).toEqual([0, 1, 1, 2, 2, 2])
})

test('The box contains all shapes, and does not exist without shapes', () => {
  expect(toBackdrop(outlines).box).toEqual([0, 0, 3, 3])
  expect(toBackdrop([]).box).toBeUndefined()
})

test('A shape without a name has no label, and without shapes there are no labels', () => {
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

/** A horseshoe that is open to the right, so its centre is outside. */
const horseshoe = [
  [0, 0],
  [10, 0],
  [10, 2.5],
  [1, 2.5],
  [1, 7.5],
  [10, 7.5],
  [10, 10],
  [0, 10],
  [0, 0],
]
const square = (x: number, size: number) => [
  [x, 0],
  [x + size, 0],
  [x + size, size],
  [x, size],
  [x, 0],
]

test('A square is labelled in its middle', () => {
  expect(labelPoint({ type: 'Polygon', coordinates: [square(0, 10)] })).toEqual([5, 5])
})

test('The label of a horseshoe is inside its shape', () => {
  const [x = -1, y = -1] = labelPoint({ type: 'Polygon', coordinates: [horseshoe] }) ?? []
  const isOn = x > 0 && x < 10 && (y < 2.5 || y > 7.5 || x < 1)
  expect(isOn).toBe(true)
})

test('Of several parts, the largest is labelled', () => {
  const parts = [[square(0, 1)], [square(100, 10)]]
  expect(labelPoint({ type: 'MultiPolygon', coordinates: parts })).toEqual([105, 5])
})

test('A hole is not labelled', () => {
  const hole = [
    [2, 0.5],
    [9, 0.5],
    [9, 9.5],
    [2, 9.5],
    [2, 0.5],
  ]
  const [x = 5] = labelPoint({ type: 'Polygon', coordinates: [square(0, 10), hole] }) ?? []
  expect(x < 2 || x > 9).toBe(true)
})

test('A shape that is not an area has no label', () => {
  expect(labelPoint({ type: 'Polygon', coordinates: [] })).toBeUndefined()
  expect(labelPoint({ type: 'Polygon', coordinates: [[[0, 0]]] })).toBeUndefined()
})

const tile = (x: number, y: number) => ({
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
  const grid = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => tile(x, y)))
  const tints = toTints(grid, 4)
  for (const [index, tint] of tints.entries()) {
    const [x, y] = [Math.floor(index / 3), index % 3]
    if (x < 2) expect(tint).not.toBe(tints[index + 3])
    if (y < 2) expect(tint).not.toBe(tints[index + 1])
  }
})

test('Shapes without neighbours use all tints', () => {
  expect(new Set(toTints([tile(0, 0), tile(5, 0), tile(9, 0)], 3)).size).toBe(3)
})

test('Neighbours share a tint if there are too few', () => {
  expect(toTints([tile(0, 0), tile(1, 0)], 1)).toEqual([0, 0])
})
