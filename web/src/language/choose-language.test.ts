import { expect, it, test } from 'vitest'
import { chooseLanguage } from './choose-language.ts'
import { languageName } from './intl.ts'

it('uses the first preferred language that it supports', () => {
  expect(chooseLanguage([null, undefined, 'fr-FR', 'it-CH', 'de'])).toBe('it')
  expect(chooseLanguage(['DE-AT', 'it'])).toBe('de')
})

it('uses English for everybody else', () => {
  expect(chooseLanguage([null, 'fr'])).toBe('en')
})

test('A language is named in the language of the reader', () => {
  expect(languageName('it', 'de')).toBe('Italienisch')
})

test('An invalid language tag is shown as the provider wrote it', () => {
  expect(languageName('de_DE', 'en')).toBe('de_DE')
  expect(languageName('', 'en')).toBe('')
})
