import { expect, test } from 'vitest'
import { wantedLanguages } from './wanted-languages.ts'

test('The chosen language comes first, then that of the page, then those that there are', () => {
  expect(wantedLanguages('', 'de', ['en', 'it', 'de'])).toEqual(['de', 'en', 'it'])
  expect(wantedLanguages('fr', 'de', ['de', 'fr', 'en'])).toEqual(['fr', 'de', 'en'])
})

test('Languages that a dataset has not are not requested, but the wanted one', () => {
  expect(wantedLanguages('', 'it', ['de'])).toEqual(['it', 'de'])
})
