import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toSeconds } from './values.ts'

it.each([
  ['PT1H30M', 5400],
  ['P1DT0.5S', 86_400.5],
  ['-PT45S', -45],
  ['P2W', 1_209_600],
  ['P0Y0M0DT0H2M0S', 120],
  ['PT0S', 0],
  ['PT1,5S', 1.5],
  [undefined, undefined],
  [' ', undefined],
])('$duration reads %j as %j seconds', (text, seconds) => {
  expect(toSeconds(text)).toBe(seconds)
})

it.each(['P', 'PT', 'P1M', 'P1Y', 'P1DT', '1H', 'PT1H 30M', 'PT5', '90', 'PT1.5H', {}])(
  '$duration rejects %j',
  (text) => {
    expect(() => toSeconds(text)).toThrow()
  },
)

it('$duration reads any days, hours, minutes and seconds', () => {
  const part = fc.nat(1000)
  fc.assert(
    fc.property(part, part, part, part, (days, hours, minutes, seconds) => {
      const text = `P${String(days)}DT${String(hours)}H${String(minutes)}M${String(seconds)}S`
      expect(toSeconds(text)).toBe(days * 86_400 + hours * 3600 + minutes * 60 + seconds)
    }),
  )
})
