import { expect, it } from 'vitest'
import { chooseLanguage } from './choose-language.ts'

it('speaks the first language that is wished for and known', () => {
  expect(chooseLanguage([null, undefined, 'fr-FR', 'it-CH', 'de'])).toBe('it')
  expect(chooseLanguage(['DE-AT', 'it'])).toBe('de')
})

it('speaks English to everybody else', () => {
  expect(chooseLanguage([null, 'fr'])).toBe('en')
})
