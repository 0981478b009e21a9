import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LanguageError } from '../lang/index.ts'
import { parseTagFilter, printTagFilter } from './tagfilter.ts'

describe('tagfilter', () => {
  it.each([
    ['a', 'or(a)'],
    ['a,b', 'or(a,b)'],
    [' a , b ', 'or(a,b)'],
    ['a,', 'or(a)'],
    ['OR(a,b)', 'or(a,b)'],
    ['and(a,b,a)', 'and(a,b)'],
    ['kultur sehenswürdigkeiten', 'or(kultur sehenswürdigkeiten)'],
    ['android', 'or(android)'],
  ])('reads %j as %s', (text, canonical) => {
    expect(printTagFilter(parseTagFilter(text))).toBe(canonical)
  })

  it.each([
    ['', 0],
    ['and(a', 5],
    ['and()', 4],
    ['a,,b', 2],
    ['a)', 1],
    ['and(a)or(b)', 6],
    ['and(a,or(b))', 8],
    ['x(a)', 1],
  ])('refuses %j at position %i', (text, position) => {
    expect(() => parseTagFilter(text)).toThrow(LanguageError)
    expect(() => parseTagFilter(text)).toThrow(expect.objectContaining({ position }))
  })

  it('reads its own output, and reads or refuses any other text', () => {
    const pieces = fc.constantFrom('and(', 'or(', 'a', 'B', ',', ')', '(', ' ')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        try {
          const filter = parseTagFilter(parts.join(''))
          expect(parseTagFilter(printTagFilter(filter))).toEqual(filter)
        } catch (error) {
          if (!(error instanceof LanguageError)) throw error
        }
      }),
      { numRuns: 2000 },
    )
  })
})
