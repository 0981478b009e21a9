import { expect, test } from 'vitest'
import { toEventFeatures, toMiddle } from './to-event-features.ts'

const geometry = { type: 'Point', coordinates: [11, 46] }
const event = (id: string, severity: string, kind: string) => ({
  ...{ id, title: '', severity, kind, geometry },
})

test('Events are coloured by severity and marked by kind, with the worst on top', () => {
  const events = [
    event('a', 'highest', 'closure'),
    event('b', 'low', 'accident'),
    event('c', 'unknown', 'strange'),
  ]
  const drawn = toEventFeatures(events)
  expect(drawn.map(({ id, paint, symbol }) => [id, paint, symbol])).toEqual([
    ['c', 'other', '•'],
    ['b', 'step2', '×'],
    ['a', 'step5', '–'],
  ])
  // Colour and symbol must not depend on which other events are shown.
  for (const one of drawn) {
    expect(toEventFeatures(events.filter(({ id }) => id === one.id))).toEqual([one])
  }
})

test.each([undefined, null, 'here', {}, { type: 'Feature' }])(
  'An event at %j is not drawn',
  (place) => {
    expect(toEventFeatures([{ id: 'a', title: 'A', geometry: place }])).toEqual([])
  },
)

test('A line has a point in its middle, and other geometries have none', () => {
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
