import { expect, test } from 'vitest'
import type { Area } from '../../dataset/query/index.ts'
import { readFields } from './read-fields.ts'
import type { AreaText } from './read-fields.ts'
import { toFields } from './to-fields.ts'

const view = [11, 46, 12, 47] as const
const areas: readonly Area[] = [
  { kind: 'box', west: 11.2, south: 46.4, east: 11.4, north: 46.6 },
  { kind: 'circle', centre: [11.3, 46.5], metres: 5000 },
  {
    kind: 'polygon',
    corners: [
      [11, 46],
      [12, 46.1],
      [11.5, 47],
    ],
  },
]

test.each(areas)('A $kind comes back from its fields', (area) => {
  expect(readFields(toFields(area, view))).toEqual({ kind: 'area', area })
})

test.each(['box', 'circle', 'polygon'] as const)(
  'Without an area the fields of a %s hold one in the middle of what is in view',
  (kind) => {
    const read = readFields({ ...toFields(undefined, view), kind })
    expect(read.kind).toBe('area')
  },
)

const text = toFields(areas[0], view)
const wrong: readonly [Partial<AreaText>, string, string][] = [
  [{ north: '' }, 'north', 'latitude'],
  [{ north: '91' }, 'north', 'latitude'],
  [{ south: 'here' }, 'south', 'latitude'],
  [{ south: '46.7' }, 'south', 'order'],
  [{ west: '11.5' }, 'west', 'sides'],
  [{ east: '181' }, 'east', 'longitude'],
  [{ kind: 'circle', metres: '0' }, 'metres', 'radius'],
  [{ kind: 'circle', metres: '1000001' }, 'metres', 'radius'],
  [{ kind: 'circle', longitude: '' }, 'longitude', 'longitude'],
  [{ kind: 'polygon', corners: '46, 11\n46, 12' }, 'corners', 'corners'],
  [{ kind: 'polygon', corners: '46, 11\n46, 12\nover there' }, 'corners', 'corners'],
]

test.each(wrong)('Of %j the field %s is wrong: %s', (changed, field, fault) => {
  expect(readFields({ ...text, ...changed })).toMatchObject({
    kind: 'faults',
    faults: { [field]: fault },
  })
})

test.each(['46.5, 11.35', '46.5 11.35', '46,5; 11,35', ' 46.5 ,11.35 '])(
  'A corner may be written as “%s”',
  (line) => {
    const corners = [line, '46, 11', '47, 11'].join('\n')
    expect(readFields({ ...text, kind: 'polygon', corners })).toMatchObject({
      area: {
        corners: [
          [11.35, 46.5],
          [11, 46],
          [11, 47],
        ],
      },
    })
  },
)
