import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findUnstorable } from './unstorable.ts'

const half = '\ud83d'

function nested(levels: number): unknown {
  return Array.from({ length: levels }).reduce((inner) => [inner], 'x')
}

describe('What the store could not give back', () => {
  it.each([
    ['a\u0000b', '', 'NUL'],
    [half, '', 'surrogate'],
    [Infinity, '', 'out of range'],
    [['a', 1, 'b\u0000'], '/2', 'NUL'],
    [[1, [2, NaN]], '/1/1', 'out of range'],
    [{ a: { 'x/y~z': [half] } }, '/a/x~1y~0z/0', 'surrogate'],
    [{ ['n\u0000']: 1 }, '/n\u0000', 'NUL'],
    [{ first: half, second: 'a\u0000' }, '/first', 'surrogate'],
  ])('is found in %j at %j', (value, pointer, reason) => {
    const fault = findUnstorable(value, '')
    expect(fault?.pointer).toBe(pointer)
    expect(fault?.reason).toContain(reason)
  })

  it('is found behind the pointer of the value itself', () => {
    expect(findUnstorable([half], '/items/3')?.pointer).toBe('/items/3/0')
  })

  it('is what is nested deeper than a hundred levels', () => {
    expect(findUnstorable(nested(100), '')).toBeUndefined()
    const fault = findUnstorable(nested(101), '')
    expect(fault).toEqual({
      pointer: '/0'.repeat(101),
      reason: 'is nested deeper than 100 levels',
    })
  })

  it('is nothing of what JSON can carry in well-formed text', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\u0000'))
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: text })
    fc.assert(
      fc.property(value, (one) => {
        expect(findUnstorable(one, '')).toBeUndefined()
      }),
    )
  })
})
