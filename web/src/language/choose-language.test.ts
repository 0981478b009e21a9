import { expect, it, test } from 'vitest'
import { chooseLanguage } from './choose-language.ts'
import { languageName } from './intl.ts'

it('speaks the first language that is wished for and known', () => {
  expect(chooseLanguage([null, undefined, 'fr-FR', 'it-CH', 'de'])).toBe('it')
  expect(chooseLanguage(['DE-AT', 'it'])).toBe('de')
})

it('speaks English to everybody else', () => {
  expect(chooseLanguage([null, 'fr'])).toBe('en')
})

test('A language is called in the language of the reader', () => {
  expect(languageName('it', 'de')).toBe('Italienisch')
})

test('What is not a tag of a language is shown as the provider wrote it', () => {
  expect(languageName('de_DE', 'en')).toBe('de_DE')
  expect(languageName('', 'en')).toBe('')
})
