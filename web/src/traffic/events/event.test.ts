import { expect, it } from 'vitest'
import { kindOf, languageOf, textIn, toKinds, toSeverity } from './event.ts'

it('returns a text in the requested language, or in another with its language', () => {
  const texts = { de: 'Sperre', it: 'Chiusura', en: '' }
  expect([textIn(texts, 'it'), textIn(texts, 'en'), textIn({}, 'de')]).toEqual([
    ...['Chiusura', 'Sperre', ''],
  ])
  expect([languageOf(texts, 'it'), languageOf(texts, 'en')]).toEqual([undefined, 'de'])
})

it('reads kinds from tags, without the one that all events have', () => {
  expect(toKinds(['announcement:traffic-event', 'traffic-event:closure', 'other'])).toEqual([
    ...['closure', 'other'],
  ])
})

it('uses the most specific of its kinds', () => {
  expect(kindOf({ kinds: ['hindrance', 'road-work'] })).toBe('road-work')
  expect(kindOf({ kinds: ['closure', 'mountain-pass', 'current'] })).toBe('closure')
  expect([kindOf({ kinds: ['current'] }), kindOf({ kinds: [] })]).toEqual(['current', undefined])
})

it('treats an unknown severity as missing', () => {
  expect([toSeverity('high'), toSeverity('awful'), toSeverity(null)]).toEqual([
    ...['high', 'unknown', 'unknown'],
  ])
})
