import { expect, it } from 'vitest'
import { kindOf, languageOf, textIn, toKinds, toSeverity } from './event.ts'

it('says a text in the language that is wanted, else in one there is, and which that is', () => {
  const texts = { de: 'Sperre', it: 'Chiusura', en: '' }
  expect([textIn(texts, 'it'), textIn(texts, 'en'), textIn({}, 'de')]).toEqual([
    ...['Chiusura', 'Sperre', ''],
  ])
  expect([languageOf(texts, 'it'), languageOf(texts, 'en')]).toEqual([undefined, 'de'])
})

it('takes kinds from tags, and leaves out what all events have', () => {
  expect(toKinds(['announcement:traffic-event', 'traffic-event:closure', 'other'])).toEqual([
    ...['closure', 'other'],
  ])
})

it('is of the most specific of its kinds, which comes last', () => {
  expect(kindOf({ kinds: ['hindrance', 'road-work'] })).toBe('road-work')
  expect(kindOf({ kinds: ['closure', 'mountain-pass', 'current'] })).toBe('closure')
  expect([kindOf({ kinds: ['current'] }), kindOf({ kinds: [] })]).toEqual(['current', undefined])
})

it('takes a severity that it does not know for one that is not told', () => {
  expect([toSeverity('high'), toSeverity('awful'), toSeverity(null)]).toEqual([
    ...['high', 'unknown', 'unknown'],
  ])
})
