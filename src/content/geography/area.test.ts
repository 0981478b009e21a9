import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LanguageError } from '../../lang/index.ts'
import { parseArea } from './area.ts'
import { printArea } from './geometry.ts'

describe('the area parser', () => {
  it.each([
    ['POLYGON((10 46,12 46,12 47,10 46))', 'POLYGON((10 46,12 46,12 47,10 46))'],
    ['polygon z ((10 46 1, 12 46 1, 12 47 1, 10 46 1))', 'POLYGON((10 46,12 46,12 47,10 46))'],
    ['LineString(10 46,11 47);srid=25832', 'LINESTRING(10 46,11 47);SRID=25832'],
    ['MULTIPOINT((10 46),(11 47))', 'MULTIPOINT(10 46,11 47)'],
    ['GEOMETRYCOLLECTION(POINT(10 46))', 'GEOMETRYCOLLECTION(POINT(10 46))'],
    ['bbc(10 46,12 47)', 'bbc(10 46,12 46,12 47,10 47,10 46)'],
    ['BBI((10 46,12 46,12 47))', 'POLYGON((10 46,12 46,12 47,10 46))'],
    ['bbc10,46,12,47', 'bbc(10 46,12 46,12 47,10 47,10 46)'],
    ['bbc(12 47,10 46)', 'bbc(12 47,10 47,10 46,12 46,12 47)'],
    ['bbc(170 -10,-170 10)', 'bbc(170 -10,-170 10)'],
    [
      'bbi(170 -10,-170 10)',
      'MULTIPOLYGON(((170 -10,180 -10,180 10,170 10,170 -10)),((-180 -10,-170 -10,-170 10,-180 10,-180 -10)))',
    ],
    ['IT.region.Trentino-Alto Adige', 'IT.region.Trentino-Alto Adige'],
    ['8032_swisstopo', '8032_swisstopo'],
  ])('reads %s', (text, canonical) => {
    expect(printArea(parseArea(text))).toBe(canonical)
  })

  it.each([
    ['POLYGON((10 46,12 46,12 47))', 'not closed'],
    ['POLYGON((10 46,12 46,10 46))', 'three corners'],
    ['POLYGON((10 46,12 46', 'found the end'],
    ['POINT(46 111)', 'is not a valid longitude and latitude'],
    ['POINT(1 1);SRID=abc', 'coordinate system'],
    ['POINT EMPTY', 'Expected "("'],
    ['bbc(10)', 'pairs'],
    ['bbi(a b,c d)', 'is not a valid number'],
    ['CIRCLE(1 2)', 'not a valid area'],
  ])('refuses %s: %s', (text, reason) => {
    expect(() => parseArea(text)).toThrow(LanguageError)
    expect(() => parseArea(text)).toThrow(reason)
  })

  it('reads its own output, and reads or refuses any other text', () => {
    const pieces = fc.constantFrom(
      ...[
        'POLYGON',
        'POINT',
        'bbc',
        'GEOMETRYCOLLECTION',
        '(',
        '(',
        ')',
        ')',
        ',',
        ' ',
        '10',
        '46',
      ],
      ...['-0.5', '1e3', ';SRID=3857', 'it.', 'region.', 'x'],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          const area = parseArea(parts.join(''))
          expect(printArea(parseArea(printArea(area)))).toBe(printArea(area))
        } catch (error) {
          if (!(error instanceof LanguageError)) throw error
        }
      }),
      { numRuns: 2000 },
    )
  })
})
