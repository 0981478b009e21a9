import { expect, test } from 'vitest'
import type { Area } from '../../dataset/query/index.ts'
import { readFields, toFields } from './read-fields.ts'
import type { AreaText } from './read-fields.ts'

const view = [11, 46, 12, 47] as const
const box: Area = { kind: 'box', west: 11.2, south: 46.4, east: 11.4, north: 46.6 }

test('A rectangle comes back from its fields', () => {
  expect(readFields(toFields(box, view))).toEqual({ kind: 'area', area: box })
})

test('Without an area the fields hold one in the middle of what is in view', () => {
  expect(readFields(toFields(undefined, view)).kind).toBe('area')
})

const text = toFields(box, view)
const wrong: readonly [Partial<AreaText>, string, string][] = [
  [{ north: '' }, 'north', 'latitude'],
  [{ north: '91' }, 'north', 'latitude'],
  [{ south: 'here' }, 'south', 'latitude'],
  [{ south: '46.7' }, 'south', 'order'],
  [{ west: '11.5' }, 'west', 'sides'],
  [{ east: '181' }, 'east', 'longitude'],
]

test.each(wrong)('Of %j the field %s is wrong: %s', (changed, field, fault) => {
  expect(readFields({ ...text, ...changed })).toMatchObject({
    kind: 'faults',
    faults: { [field]: fault },
  })
})

test('A decimal comma is a point', () => {
  expect(readFields({ ...text, north: '46,75' })).toMatchObject({ area: { north: 46.75 } })
})
