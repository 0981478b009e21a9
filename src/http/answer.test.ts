import { describe, expect, it } from 'vitest'
import { wantsStrictHandling } from './request-hooks.ts'
import { matchesEtag, weakEtag } from './answer.ts'

describe('weakEtag', () => {
  it('differs when any part differs, also when text only moves between parts', () => {
    expect(weakEtag(['a', 'b'])).toBe(weakEtag(['a', 'b']))
    expect(weakEtag(['ab', ''])).not.toBe(weakEtag(['a', 'b']))
  })
})

describe('matchesEtag', () => {
  it.each([
    ['W/"x"', true],
    ['"x"', true],
    ['"a", W/"x"', true],
    ['*', true],
    ['"y"', false],
    [undefined, false],
  ])('compares %s weakly', (header, expected) => {
    expect(matchesEtag(header, 'W/"x"')).toBe(expected)
  })
})

describe('wantsStrictHandling', () => {
  it.each([
    ['handling=strict', true],
    ['respond-async, handling="strict"', true],
    ['Handling = STRICT; x=1', true],
    ['handling=lenient', false],
    [undefined, false],
  ])('reads %s', (header, expected) => {
    expect(wantsStrictHandling(header)).toBe(expected)
  })
})
