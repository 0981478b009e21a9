import { describe, expect, it } from 'vitest'
import { timePrinter } from './print-time.ts'
import { parseTimeZone, utc } from './time-zone.ts'

function printIn(name: string, printed: string): string | undefined {
  const zone = parseTimeZone(name)
  return zone === undefined ? undefined : timePrinter(zone)(printed)
}

describe('A printed time', () => {
  it.each([
    ['2024-06-01 00:00:00+00', '2024-06-01 00:00:00.000+0000'],
    ['2024-06-01 00:05:00.5+00', '2024-06-01 00:05:00.500+0000'],
    ['2024-06-01 00:05:00.123456+00', '2024-06-01 00:05:00.123+0000'],
    ['0001-01-01 00:00:00.000001+00', '0001-01-01 00:00:00.000+0000'],
  ])('is, in UTC, %s as %s', (printed, expected) => {
    expect(timePrinter(utc)(printed)).toBe(expected)
  })

  it.each([
    ['Europe/Rome', '2024-06-01 00:05:00.5+00', '2024-06-01 02:05:00.500+0200'],
    ['Europe/Rome', '2024-12-31 23:30:00+00', '2025-01-01 00:30:00.000+0100'],
    ['Europe/Rome', '2026-03-29 00:59:59.999+00', '2026-03-29 01:59:59.999+0100'],
    ['Europe/Rome', '2026-03-29 01:00:00+00', '2026-03-29 03:00:00.000+0200'],
    ['Europe/Rome', '2026-10-25 00:59:59+00', '2026-10-25 02:59:59.000+0200'],
    ['Europe/Rome', '2026-10-25 01:00:00+00', '2026-10-25 02:00:00.000+0100'],
    ['America/St_Johns', '2024-06-01 00:00:00+00', '2024-05-31 21:30:00.000-0230'],
    ['Asia/Kathmandu', '2024-06-01 00:00:00+00', '2024-06-01 05:45:00.000+0545'],
    ['+02:00', '2024-06-01 00:00:00+00', '2024-06-01 02:00:00.000+0200'],
    ['UTC-2', '2024-06-01 00:00:00+00', '2024-05-31 22:00:00.000-0200'],
  ])('is, in %s, %s as %s', (zone, printed, expected) => {
    expect(printIn(zone, printed)).toBe(expected)
  })
})
