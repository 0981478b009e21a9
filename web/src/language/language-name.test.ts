import { expect, test } from 'vitest'
import { languageName } from './language-name.ts'

test('A language is called in the language of the reader', () => {
  expect(languageName('it', 'de')).toBe('Italienisch')
})

test('What is not a tag of a language is shown as the provider wrote it', () => {
  expect(languageName('de_DE', 'en')).toBe('de_DE')
  expect(languageName('', 'en')).toBe('')
})
