import { expect, it } from 'vitest'
import { day, hour } from './range.ts'
import { ticksOf, labelTicks } from './ticks.ts'
import { fromLocal, offsetAt, toLocal } from '../../language/zoned.ts'

const zone = 'Europe/Rome'
const midnight = (text: string) => Date.parse(`${text}T00:00:00Z`)

it('computes 25 hours for the last Sunday of October in Rome, and 23 for that of March', () => {
  const length = (from: string, to: string) =>
    (fromLocal(midnight(to), zone) - fromLocal(midnight(from), zone)) / hour
  expect(length('2026-10-25', '2026-10-26')).toBe(25)
  expect(length('2026-03-29', '2026-03-30')).toBe(23)
})

it('moves a skipped local time after the change, and converts others both ways', () => {
  const skipped = Date.UTC(2026, 2, 29, 2, 30)
  expect(new Date(fromLocal(skipped, zone)).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  const time = Date.UTC(2026, 10, 22, 9, 41)
  expect(fromLocal(toLocal(time, zone), zone)).toBe(time)
  expect(offsetAt(time, zone)).toBe(hour)
})

it('has a tick for each of the 25 hours of that day, two of them labelled 02:00', () => {
  const window = {
    from: fromLocal(midnight('2026-10-25'), zone),
    to: fromLocal(midnight('2026-10-26'), zone),
  }
  const ticks = ticksOf(window, zone, 30)
  expect(ticks).toHaveLength(26)
  const labels = labelTicks(ticks, zone, 'en-GB')
  expect(labels.filter((label) => label.startsWith('02:00'))).toHaveLength(2)
  expect(labels[0]).toBe('00:00\n25 Oct')
})

it('places days at local midnight on both sides of a clock change', () => {
  const ticks = ticksOf({ from: midnight('2026-10-20'), to: midnight('2026-11-01') }, zone, 12)
  expect(new Set(ticks.map((tick) => toLocal(tick, zone) % day))).toEqual(new Set([0]))
})

it('starts months and years at their local start', () => {
  const months = ticksOf({ from: midnight('2026-01-15'), to: midnight('2026-12-15') }, zone, 12)
  expect(months).toHaveLength(11)
  expect(labelTicks(months, zone, 'en-GB')[0]).toBe('Feb\n2026')
  const years = ticksOf({ from: midnight('1890-05-01'), to: midnight('2026-05-01') }, 'UTC', 10)
  expect(labelTicks(years, 'UTC', 'en-GB')[0]).toBe('1900')
})
