import { expect, it } from 'vitest'
import { linesOf, placesOf } from './made.ts'

it('finds the places of stations, records and events', () => {
  const objects = [
    { kind: 'stations', items: [{ code: 'a', coordinate: [11.3, 46.5] }, { code: 'b' }] },
    { kind: 'content', items: [{ GpsInfo: [{ Latitude: 46.6, Longitude: 11.4 }] }] },
    { kind: 'events', items: [{ geometry: { type: 'Point', coordinates: [11.5, 46.7] } }] },
    { kind: 'measurements', items: [['a', 'free', '2026-01-01T00:00:00Z', 1]] },
  ]
  expect(placesOf(objects)).toEqual([
    { longitude: 11.3, latitude: 46.5 },
    { longitude: 11.4, latitude: 46.6 },
    { longitude: 11.5, latitude: 46.7 },
  ])
})

it('makes a line for each series, ordered by time and without texts', () => {
  const at = (hour: number) => `2026-01-01T0${String(hour)}:00:00Z`
  const items = [
    ...[
      ['a', 'free', at(2), 5],
      ['a', 'free', at(1), 4],
      ['a', 'state', at(1), 'open'],
    ],
    ...[['b', 'free', at(1), 7], ['b', 'free', 'yesterday', 7], 'odd'],
  ]
  expect(
    linesOf([
      { kind: 'measurements', items },
      { kind: 'stations', items },
    ]),
  ).toEqual([
    {
      name: 'a free',
      points: [
        { time: Date.parse(at(1)), value: 4 },
        { time: Date.parse(at(2)), value: 5 },
      ],
    },
    { name: 'b free', points: [{ time: Date.parse(at(1)), value: 7 }] },
  ])
})
