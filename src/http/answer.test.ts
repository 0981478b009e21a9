import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wantsStrictHandling } from './request-hooks.ts'
import { matchesEtag, matchesStrongly, weakEtag } from './answer.ts'

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
    ['"a,*,b"', false],
    [undefined, false],
  ])('compares %s weakly', (header, expected) => {
    expect(matchesEtag(header, 'W/"x"')).toBe(expected)
  })

  it('finds exactly the tags of a list, whatever characters they contain', () => {
    // etagc (RFC 9110 section 8.8.3), with the characters that lists and conditions use.
    const opaque = fc.string({
      unit: fc.constantFrom('a', 'b', ',', '*', '/', 'W', ';'),
      maxLength: 5,
    })
    const tag = fc.record({ opaque, prefix: fc.constantFrom('', 'W/') })
    const separator = fc.constantFrom(',', ', ', ' ,')
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 5 }), tag, separator, (tags, one, comma) => {
        const print = ({ opaque: text, prefix }: typeof one) => `${prefix}"${text}"`
        const header = tags.map(print).join(comma)
        const same = tags.filter(({ opaque: text }) => text === one.opaque)
        const isStrong = one.prefix === '' && same.some(({ prefix }) => prefix === '')
        expect(matchesEtag(header, print(one))).toBe(same.length > 0)
        expect(matchesStrongly(header, print(one))).toBe(isStrong)
      }),
    )
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
