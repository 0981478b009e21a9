import { expect, it } from 'vitest'
import { pluralIn, withArticle } from './intl.ts'

it('forms singular and plural by the rules of each language', () => {
  const forms = { one: '# Datensatz', other: '# Datensätze' }
  expect([0, 1, 2].map((count) => pluralIn('de', count, forms))).toEqual([
    '0 Datensätze',
    '1 Datensatz',
    '2 Datensätze',
  ])
})

it('writes numbers by the rules of each language', () => {
  const forms = { one: '#', other: '#' }
  expect(pluralIn('en', 12345.6, forms)).toBe('12,345.6')
  expect(pluralIn('it', 12345.6, forms)).toBe('12.345,6')
})

it.each([
  ['7%', 'il 7%'],
  ['8%', 'l’8%'],
  ['80%', 'l’80%'],
  ['11,5%', 'l’11,5%'],
  ['110%', 'il 110%'],
])('writes the Italian article before %s', (written, whole) => {
  expect(withArticle('il', written)).toBe(whole)
})
