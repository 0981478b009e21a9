import { expect, it } from 'vitest'
import { wordsOf } from './intl.ts'

it('says one of a thing and several as each language does', () => {
  const forms = { one: '# Datensatz', other: '# Datensätze' }
  const { plural } = wordsOf('de')
  expect([0, 1, 2].map((count) => plural(count, forms))).toEqual([
    '0 Datensätze',
    '1 Datensatz',
    '2 Datensätze',
  ])
})

it('writes numbers as each language does', () => {
  expect(wordsOf('en').number(12345.6)).toBe('12,345.6')
  expect(wordsOf('it').number(12345.6)).toBe('12.345,6')
})
