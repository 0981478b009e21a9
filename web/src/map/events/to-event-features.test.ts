import { expect, test } from 'vitest'
import { paintOfKind, toEventFeatures, toMiddle } from './to-event-features.ts'

const kinds = Array.from({ length: 10 }, (_, index) => ({ id: `k${String(index)}`, label: '' }))
const geometry = { type: 'Point', coordinates: [11, 46] }

test('Events have the colour of their kind', () => {
  expect(toEventFeatures([{ id: 'a', title: 'A', kind: 'k1', geometry }], kinds)).toEqual([
    { id: 'a', title: 'A', geometry, paint: 'kind1' },
  ])
})

test.each([
  ['k0', 'kind0'],
  ['k7', 'kind7'],
  ['k9', 'kind7'],
  ['other', 'traffic'],
])('The kind %s is painted as %s', (kind, paint) => {
  expect(paintOfKind(kind, kinds)).toBe(paint)
})

test.each([undefined, null, 'here', {}, { type: 'Feature' }])(
  'An event at %j is not drawn',
  (place) => {
    expect(toEventFeatures([{ id: 'a', title: 'A', geometry: place }], kinds)).toEqual([])
  },
)

test('A line has a point in its middle, other things have none', () => {
  const line = {
    type: 'LineString' as const,
    coordinates: [
      [11, 46],
      [12, 46],
      [13, 46],
    ],
  }
  expect(toMiddle({ id: 'a', title: 'A', geometry: line, paint: 'kind1' })).toEqual([
    { id: 'a', title: 'A', geometry: { type: 'Point', coordinates: [12, 46] }, paint: 'kind1' },
  ])
  expect(
    toMiddle({ id: 'a', title: 'A', geometry: { type: 'Point', coordinates: [1, 2] } }),
  ).toEqual([])
})
