import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences } from './differences.ts'

describe('Differences', () => {
  it('are told by place', () => {
    const expected = { a: [1, { b: 2 }], c: null, 'x/y': 1 }
    expect(differences(expected, { a: [1, { b: 3 }, 4], c: [] }, '/objects')).toEqual([
      '/objects/a/1/b: expected 2, found 3',
      '/objects/a/2: expected nothing, found 4',
      '/objects/c: expected null, found []',
      '/objects/x~1y: expected 1, found nothing',
    ])
  })

  it('are not too many to read', () => {
    const many = Array.from({ length: 100 }, (_, index) => index)
    expect(differences(many, [], '')).toHaveLength(21)
  })

  it('are none between a value and itself, whatever the order of its members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed())
        expect(differences(value, turned, '')).toEqual([])
      }),
    )
  })
})
