import { expect, test } from 'vitest'
import { readArea, toAreaCondition, toAreaParameters, writeArea } from './area.ts'
import type { Area } from './area.ts'

const box: Area = { kind: 'box', west: 11.2, south: 46.4, east: 11.4, north: 46.6 }
const circle: Area = { kind: 'circle', centre: [11.3, 46.5], metres: 5000 }
const polygon: Area = {
  kind: 'polygon',
  corners: [
    [11, 46],
    [12, 46.1],
    [11.5, 47],
  ],
}

test.each([box, circle, polygon])('A $kind is read back from its text', (area) => {
  expect(readArea(writeArea(area))).toEqual(area)
})

test.each([
  '',
  'box',
  'box:1,2,3',
  'box:a,b,c,d',
  'circle:11,46,0',
  'circle:11,96,5',
  'polygon:1,2,3,4',
  'polygon:1,2,3,4,5,6,7',
  'star:1,2',
])('The text “%s” is not an area', (text) => {
  expect(readArea(text)).toBeUndefined()
})

test('Corners of a box are ordered from south to north', () => {
  expect(readArea('box:11.2,46.6,11.4,46.4')).toEqual(box)
})

test('Areas become parameters of the content service', () => {
  expect(toAreaParameters(box)).toEqual({ polygon: 'bbi(11.2 46.4,11.4 46.6)' })
  expect(toAreaParameters(circle)).toEqual({ latitude: 46.5, longitude: 11.3, radius: 5000 })
  expect(toAreaParameters(polygon)).toEqual({
    polygon: 'POLYGON((11 46,12 46.1,11.5 47,11 46))',
  })
})

test('Areas become conditions on stations, and a polygon becomes its box', () => {
  expect(toAreaCondition(box)).toBe('scoordinate.bbi.(11.2,46.4,11.4,46.6)')
  expect(toAreaCondition(circle)).toBe('scoordinate.dlt.(5000,11.3,46.5)')
  expect(toAreaCondition(polygon)).toBe('scoordinate.bbi.(11,46,12,47)')
})
