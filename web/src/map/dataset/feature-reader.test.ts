import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFeatureReader } from './feature-reader.ts'

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

/** A text in pieces that end at any place. */
const pieces = (text: string, cuts: readonly number[]) => {
  const at = [0, ...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length]
  return at.slice(1).map((to, index) => text.slice(at[index], to))
}

test('Wherever the answer is cut, every feature comes once and whole', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
      const reader = createFeatureReader()
      const read = pieces(collection, cuts).flatMap((piece) => reader.push(piece))
      expect(read).toEqual(features)
    }),
  )
})

test('Whatever texts the records hold', () => {
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

test('A feature is there as soon as it is complete', () => {
  const reader = createFeatureReader()
  expect(reader.push('{"numberMatched":2,"features":[{"id":1}')).toEqual([{ id: 1 }])
  expect(reader.push(',{"id":')).toEqual([])
  expect(reader.push('2}]}')).toEqual([{ id: 2 }])
})

test('An answer without features has none', () => {
  const reader = createFeatureReader()
  expect(reader.push('{"type":"FeatureCollection","features":[]}')).toEqual([])
})
