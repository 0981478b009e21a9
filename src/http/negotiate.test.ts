import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseFormat, preferredType } from './negotiate.ts'

const offered = ['application/json', 'text/json', 'text/csv', 'application/ld+json']

describe('preferredType', () => {
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['text/csv, */*', 'text/csv'],
    ['*/*, text/csv', 'text/csv'],
    ['text/*', 'text/json'],
    ['text/*, application/json;q=0.9', 'text/json'],
    ['application/json;q=0.5, text/csv;q=0.8', 'text/csv'],
    ['application/json; q=0, */*', 'text/json'],
    ['application/ld+json, application/json', 'application/ld+json'],
    ['application/json, application/ld+json', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'application/json'],
    ['*/*;q=0.1, text/csv;q=0', 'application/json'],
    ['application/xml', undefined],
    ['text/csv;q=0', undefined],
    ['text/csv;q=nonsense', undefined],
    ['text/csv;q=7', undefined],
    ['nonsense', undefined],
  ])('reads %j as %s', (accept, expected) => {
    expect(preferredType(accept, offered)).toBe(expected)
  })

  it('returns an offered type or nothing, for any header', () => {
    fc.assert(
      fc.property(fc.string(), (accept) => {
        expect([...offered, undefined]).toContain(preferredType(accept, offered))
      }),
    )
  })
})

describe('chooseFormat', () => {
  const choose = (accept: string | undefined, isStrict: boolean) =>
    chooseFormat({
      offered: [{ name: 'json', mediaTypes: ['application/json', 'text/json'] }],
      ...{ format: undefined, accept, isStrict, subject: 'Tag' },
    }).mediaType

  it('falls back to JSON for other types in Accept, but refuses them under strict handling', () => {
    expect(choose('application/xml', false)).toBe('application/json')
    expect(() => choose('application/xml', true)).toThrow(
      expect.objectContaining({
        code: 'HUB-QRY-003',
        issues: [expect.objectContaining({ expected: ['application/json', 'text/json'] })],
      }),
    )
  })

  it.each([undefined, '', '*/*', 'text/html, application/xml;q=0.9, */*;q=0.8'])(
    'accepts Accept: %s under strict handling',
    (accept) => {
      expect(choose(accept, true)).toBe('application/json')
    },
  )
})
