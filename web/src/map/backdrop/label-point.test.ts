import { expect, test } from 'vitest'
import { labelPoint } from './label-point.ts'

/** A horseshoe that is open to the right: its middle is not inside. */
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

test('The label of a horseshoe is on the shoe', () => {
  const [x = -1, y = -1] = labelPoint({ type: 'Polygon', coordinates: [horseshoe] }) ?? []
  const isOn = x > 0 && x < 10 && (y < 2.5 || y > 7.5 || x < 1)
  expect(isOn).toBe(true)
})

test('Of several parts the largest is labelled', () => {
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

test('What is not an area has no label', () => {
  expect(labelPoint({ type: 'Polygon', coordinates: [] })).toBeUndefined()
  expect(labelPoint({ type: 'Polygon', coordinates: [[[0, 0]]] })).toBeUndefined()
})
