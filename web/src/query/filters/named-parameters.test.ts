import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bitsOf, namedParameters } from './named-parameters.ts'

const masks = Array.from({ length: 40 }, (_, index) => 2 ** index)

it('finds in a sum just the bits that it was made of, also beyond 32', () => {
  fc.assert(
    fc.property(fc.subarray(masks), (bits) => {
      const sum = bits.reduce((all, bit) => all + bit, 0)
      expect(bitsOf(String(sum), masks)).toEqual(bits)
    }),
  )
})

it('knows nothing beside what all lists have for stations and other entities', () => {
  expect(
    namedParameters({ service: 'timeseries', type: 'Event', list: '/v2/flat,node/Event' }),
  ).toEqual([])
  expect(namedParameters({ service: 'content', type: 'Region', list: '/v1/Region' })).toEqual([])
  expect(
    namedParameters({ service: 'content', type: 'Event', list: '/v1/Event' }).map(
      ({ name }) => name,
    ),
  ).toContain('begindate')
})
