import fc from 'fast-check'
import type { Geometry } from 'geojson'
import { expect, test } from 'vitest'
import { fieldsOf } from './places-request.ts'
import { toPlace, isInBox, createFeatureReader } from './to-place.ts'

const geometry = { type: 'Point', coordinates: [11, 46] }
const fields = fieldsOf(
  { service: 'content', type: 'Event', list: '/v1/Event', titleField: 'Detail.{language}.Title' },
  'de',
)

test('A record is named in the language of the reader, or by its short name', () => {
  const properties = { Id: 'A', 'Detail.de.Title': 'Markt', Shortname: 'Market' }
  expect(toPlace({ geometry, properties }, fields)).toEqual({ id: 'A', title: 'Markt', geometry })
  const untranslated = { ...properties, 'Detail.de.Title': null }
  expect(toPlace({ geometry, properties: untranslated }, fields)?.title).toBe('Market')
  expect(toPlace({ geometry, properties: { Id: 'A' } }, fields)?.title).toBe('')
})

test('A station is identified by its code', () => {
  const station = fieldsOf(
    {
      service: 'timeseries',
      type: 'ParkingStation',
      list: '/v2/flat,node/ParkingStation',
      titleField: 'sname',
    },
    'de',
  )
  const properties = { scode: 'p1', sname: 'P1' }
  expect(toPlace({ geometry, properties }, station)).toMatchObject({ id: 'p1', title: 'P1' })
})

test.each([
  { geometry: null, properties: { Id: 'A' } },
  { geometry, properties: null },
  { geometry, properties: {} },
  'nothing',
  null,
])('%j is not a place', (feature) => {
  expect(toPlace(feature, fields)).toBeUndefined()
})

const place = (geometry: Geometry) => ({ id: 'a', title: 'A', geometry })
const view = [11, 46, 12, 47] as const
const line = (from: readonly number[], to: readonly number[]): Geometry => ({
  type: 'LineString',
  coordinates: [[...from], [...to]],
})

test.each<[Geometry, boolean]>([
  [{ type: 'Point', coordinates: [11.5, 46.5] }, true],
  [{ type: 'Point', coordinates: [12.5, 46.5] }, false],
  [line([10, 46.5], [13, 46.5]), true],
  [line([10, 40], [10.5, 41]), false],
  [{ type: 'MultiPoint', coordinates: [] }, false],
])('%j is in view: %s', (geometry, isSeen) => {
  expect(isInBox(place(geometry), view)).toBe(isSeen)
})

const features = [
  { type: 'Feature', id: 'a', geometry: null, properties: { Title: 'Zum "Adler" {alt}' } },
  { type: 'Feature', id: 'b', geometry: { type: 'Point', coordinates: [11, 46] }, properties: {} },
  {
    type: 'Feature',
    id: 'c',
    geometry: null,
    properties: { Title: 'C:\\"}', More: { deep: [{}] } },
  },
]
const collection = JSON.stringify({
  type: 'FeatureCollection',
  numberMatched: 3,
  links: [],
  features,
})

/** Splits a text into pieces at the given positions. */
const pieces = (text: string, cuts: readonly number[]) => {
  const at = [0, ...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length]
  return at.slice(1).map((to, index) => text.slice(at[index], to))
}

test('Every feature is read once and complete, wherever the response is split', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
      const reader = createFeatureReader()
      const read = pieces(collection, cuts).flatMap((piece) => reader.push(piece))
      expect(read).toEqual(features)
    }),
  )
})

test('Records with any texts are read from split responses', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ Title: fc.string() })),
      fc.array(fc.nat()),
      (records, cuts) => {
        const reader = createFeatureReader()
        const text = JSON.stringify({ features: records }, undefined, 1)
        expect(pieces(text, cuts).flatMap((piece) => reader.push(piece))).toEqual(records)
      },
    ),
  )
})

test('A feature is returned as soon as it is complete', () => {
  const reader = createFeatureReader()
  expect(reader.push('{"numberMatched":2,"features":[{"id":1}')).toEqual([{ id: 1 }])
  expect(reader.push(',{"id":')).toEqual([])
  expect(reader.push('2}]}')).toEqual([{ id: 2 }])
})

test('A response without features returns none', () => {
  const reader = createFeatureReader()
  expect(reader.push('{"type":"FeatureCollection","features":[]}')).toEqual([])
})
