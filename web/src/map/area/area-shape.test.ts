import { expect, test } from 'vitest'
import type { Area, Position } from '../../dataset/query/index.ts'
import {
  boxBetween,
  cornersOf,
  destination,
  handlesOf,
  metresBetween,
  moveHandle,
  toRing,
} from './area-shape.ts'

const bozen: Position = [11.3548, 46.4983]
const box: Area = { kind: 'box', west: 11, south: 46, east: 12, north: 47 }
const circle: Area = { kind: 'circle', centre: bozen, metres: 5000 }
const triangle: Area = {
  kind: 'polygon',
  corners: [
    [11, 46],
    [12, 46],
    [11.5, 47],
  ],
}

const handle = (area: Area, kind: string, index = 0) => {
  const found = handlesOf(area).find((one) => one.kind === kind && one.index === index)
  if (found === undefined) throw new Error(`No handle ${kind} ${String(index)}`)
  return found
}

test.each([box, circle, triangle])('The outline of a $kind closes itself', (area) => {
  const ring = toRing(area)
  expect(ring.at(0)).toEqual(ring.at(-1))
  expect(ring.length).toBeGreaterThan(3)
})

test('Every corner of a circle is as far from its centre as its radius', () => {
  for (const corner of toRing(circle)) {
    expect(metresBetween(bozen, corner)).toBeCloseTo(5000, 3)
  }
})

test('From Bozen to Brixen it is about 34 km', () => {
  expect(metresBetween(bozen, [11.6566, 46.7162])).toBeGreaterThan(33_000)
  expect(metresBetween(bozen, [11.6566, 46.7162])).toBeLessThan(34_000)
})

test('A degree of latitude is about 111 km north', () => {
  const [longitude, latitude] = destination(bozen, 111_195, 0)
  expect(longitude).toBeCloseTo(bozen[0], 9)
  expect(latitude).toBeCloseTo(bozen[1] + 1, 4)
})

test('A corner of a box is moved while the one across stays', () => {
  expect(moveHandle(box, handle(box, 'corner', 0), [10, 45])).toEqual({
    ...box,
    west: 10,
    south: 45,
  })
})

test('A corner that is moved past the one across makes a proper box', () => {
  expect(moveHandle(box, handle(box, 'corner', 0), [13, 48])).toEqual(
    boxBetween([12, 47], [13, 48]),
  )
})

test('The edge of a circle changes its radius, which is never nothing', () => {
  const wider = moveHandle(circle, handle(circle, 'edge'), destination(bozen, 8000, 200))
  expect(wider).toEqual({ ...circle, metres: 8000 })
  expect(moveHandle(circle, handle(circle, 'edge'), bozen)).toEqual({ ...circle, metres: 1 })
})

test('A corner of a free shape is moved alone', () => {
  expect(cornersOf(moveHandle(triangle, handle(triangle, 'corner', 1), [13, 46]))).toEqual([
    [11, 46],
    [13, 46],
    [11.5, 47],
  ])
})

test.each([box, circle, triangle])('A $kind keeps its form when all of it is moved', (area) => {
  const move = handle(area, 'move')
  const moved = moveHandle(area, move, [move.position[0] + 1, move.position[1]])
  const [before, after] = [toRing(area), toRing(moved)]
  for (const [index, [longitude, latitude]] of before.entries()) {
    expect(after[index]?.[0]).toBeCloseTo(longitude + 1, 6)
    expect(after[index]?.[1]).toBeCloseTo(latitude, 6)
  }
})
