import { expect, test } from 'vitest'
import type { Area, Position } from '../../dataset/query/index.ts'
import {
  boxAround,
  boxBetween,
  handlesOf,
  moveHandle,
  toRing,
  readFields,
  toFields,
} from './area-shape.ts'
import type { Box, AreaText } from './area-shape.ts'

const bozen: Position = [11.3548, 46.4983]
const box: Box = { kind: 'box', west: 11, south: 46, east: 12, north: 47 }
const circle: Area = { kind: 'circle', centre: bozen, metres: 5000 }
const triangle: Area = {
  kind: 'polygon',
  corners: [
    [11, 46],
    [12, 46],
    [11.5, 47],
  ],
}

const handle = (kind: string, index = 0) => {
  const found = handlesOf(box).find((one) => one.kind === kind && one.index === index)
  if (found === undefined) throw new Error(`No handle ${kind} ${String(index)}`)
  return found
}

test.each([box, circle, triangle])('The outline of a $kind is closed', (area) => {
  const ring = toRing(area)
  expect(ring.at(0)).toEqual(ring.at(-1))
  expect(ring.length).toBeGreaterThan(3)
})

test('A circle reaches as far north as its radius: a degree of latitude is about 111 km', () => {
  const { north, south } = boxAround({ kind: 'circle', centre: bozen, metres: 111_195 })
  expect(north).toBeCloseTo(bozen[1] + 1, 4)
  expect(south).toBeCloseTo(bozen[1] - 1, 4)
})

test('A corner of a box moves while the opposite one stays', () => {
  expect(moveHandle(box, handle('corner', 0), [10, 45])).toEqual({ ...box, west: 10, south: 45 })
})

test('A corner that moves past the opposite one still makes a valid box', () => {
  expect(moveHandle(box, handle('corner', 0), [13, 48])).toEqual(boxBetween([12, 47], [13, 48]))
})

test('A box keeps its shape when it is moved as a whole', () => {
  const move = handle('move')
  const moved = moveHandle(box, move, [move.position[0] + 1, move.position[1]])
  expect(moved).toEqual({ ...box, west: 12, east: 13 })
})

const view = [11, 46, 12, 47] as const
const bounds: Area = { kind: 'box', west: 11.2, south: 46.4, east: 11.4, north: 46.6 }

test('A rectangle is read back from its fields', () => {
  expect(readFields(toFields(bounds, view))).toEqual({ kind: 'area', area: bounds })
})

test('Without an area, the fields contain one in the middle of the view', () => {
  expect(readFields(toFields(undefined, view)).kind).toBe('area')
})

const text = toFields(bounds, view)
const wrong: readonly [Partial<AreaText>, string, string][] = [
  [{ north: '' }, 'north', 'latitude'],
  [{ north: '91' }, 'north', 'latitude'],
  [{ south: 'here' }, 'south', 'latitude'],
  [{ south: '46.7' }, 'south', 'order'],
  [{ west: '11.5' }, 'west', 'sides'],
  [{ east: '181' }, 'east', 'longitude'],
]

test.each(wrong)('With %j, the field %s is invalid: %s', (changed, field, fault) => {
  expect(readFields({ ...text, ...changed })).toMatchObject({
    kind: 'faults',
    faults: { [field]: fault },
  })
})

test('A decimal comma is read as a decimal point', () => {
  expect(readFields({ ...text, north: '46,75' })).toMatchObject({ area: { north: 46.75 } })
})
