import { expect, it } from 'vitest'
import { parseTime, printTime } from './time-text.ts'

it('reads times as the hub writes them, with and without a zone', () => {
  expect(parseTime('2026-11-22 10:40:00.000+0100')).toBe(Date.UTC(2026, 10, 22, 9, 40))
  expect(parseTime('2026-11-22 10:40:00.250-0330')).toBe(Date.UTC(2026, 10, 22, 14, 10, 0, 250))
  expect(parseTime('2026-11-22T10:40:00Z')).toBe(Date.UTC(2026, 10, 22, 10, 40))
  expect(parseTime('yesterday')).toBeNaN()
})

it('writes moments without fractions that are not there', () => {
  expect(printTime(Date.UTC(2026, 10, 22))).toBe('2026-11-22T00:00:00Z')
})
