import { describe, expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import { readRange } from './read/find-level.ts'
import { readTimeZone } from './read/plan.ts'
import { parseTime, parseTimeZone, timePrinter, toInstant, utc } from './time.ts'

describe('An instant', () => {
  it.each([
    ['2026-11-20T12:00Z', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T13:00:00+01:00', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T13:00:00+0100', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.500000Z'],
    ['2026-11-20T12:00:00.1234567Z', '2026-11-20T12:00:00.123456Z'],
    ['2026-11-20T12:00:00.12345Z', '2026-11-20T12:00:00.123450Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['2026-11-20T12:00:00.125Z', '2026-11-20T12:00:00.125000Z'],
    ['2026-11-20T12:00:00.123456Z', '2026-11-20T12:00:00.123456Z'],
    ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000000Z'],
    ['9999-12-28T23:59:59Z', '9999-12-28T23:59:59.000000Z'],
  ])('is normalized: %s is %s', (written, instant) => {
    expect(toInstant(written)).toBe(instant)
  })

  it.each([
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:60:00Z',
    'now',
  ])('of the years 0001 to 9999 cannot be %s', (written) => {
    expect(toInstant(written)).toBeUndefined()
  })
})

const summer = Date.parse('2026-07-01T00:00:00Z')
const hour = 3_600_000

function offsetOf(name: string): number | undefined {
  const zone = parseTimeZone(name)
  if (zone === undefined) return undefined
  return zone.kind === 'utc' ? 0 : zone.offsetAt(summer)
}

describe('A time zone', () => {
  it.each([
    ['UTC', 0],
    ['Z', 0],
    ['gmt', 0],
    ['Europe/Rome', 2 * hour],
    ['CET', 2 * hour],
    ['America/St_Johns', -2.5 * hour],
    ['+02:00', 2 * hour],
    ['+0200', 2 * hour],
    ['+2', 2 * hour],
    ['UTC+2', 2 * hour],
    ['GMT-02:30', -2.5 * hour],
    // Offsets of printed times have no seconds.
    ['+02:00:29', 2 * hour],
    ['-02:00:30', -2 * hour - 60_000],
    [' 02:00', 2 * hour],
    ['UTC 2', 2 * hour],
    ['Etc/GMT+5', -5 * hour],
    ['Etc/GMT 5', -5 * hour],
  ])('may be written %s', (name, offset) => {
    expect(offsetOf(name)).toBe(offset)
  })

  it.each([
    ['z', 'UTC'],
    ['europe/rome', 'Europe/Rome'],
    ['+2', '+02:00'],
    ['UTC-0330', '-03:30'],
    ['+02:00:30', '+02:01'],
  ])('written as %s has a standard name', (written, name) => {
    expect(parseTimeZone(written)?.name).toBe(name)
  })

  it.each(['foo', 'Europe/Nowhere', '+25', '+19:00', '+02:75', ''])('cannot be %j', (name) => {
    expect(parseTimeZone(name)).toBeUndefined()
  })

  it('defaults to UTC and is refused if it is unknown', () => {
    expect(readTimeZone(undefined)).toBe(utc)
    expect(() => readTimeZone('foo')).toThrow(AppError)
  })
})

describe('A time in a path', () => {
  it.each([
    ['2024-06-01', '2024-06-01T00:00:00.000Z'],
    ['2024-06-01T', '2024-06-01T00:00:00.000Z'],
    ['2024-06-01T12', '2024-06-01T12:00:00.000Z'],
    ['2024-06-01T12:30', '2024-06-01T12:30:00.000Z'],
    ['2024-06-01T:02', '2024-06-01T00:02:00.000Z'],
    ['2024-06-01T00:02.500', '2024-06-01T00:02:00.500Z'],
    ['2024-06-01T12:30:15.123Z', '2024-06-01T12:30:15.123Z'],
    ['2024-06-01T24:00', '2024-06-02T00:00:00.000Z'],
    ['2024-06-01Z', '2024-06-01T00:00:00.000Z'],
    ['2024-06-01+0200', '2024-05-31T22:00:00.000Z'],
    ['2024-06-01T10:00:00-05:00', '2024-06-01T15:00:00.000Z'],
    ['2024-06-01T10:00CET', '2024-06-01T08:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('may be %s, which is %s', (written, expected) => {
    expect(parseTime(written)).toBe(expected)
  })

  it.each([
    ['2026-03-29T02:30CET', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T02:00CET', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T03:00CET', '2026-03-29T01:00:00.000Z'],
    ['2026-03-08T02:30Navajo', '2026-03-08T09:30:00.000Z'],
    ['2026-03-08T01:59Navajo', '2026-03-08T08:59:00.000Z'],
    ['2026-03-08T03:00Navajo', '2026-03-08T09:00:00.000Z'],
    ['2026-03-08Cuba', '2026-03-08T05:00:00.000Z'],
    ['2026-03-08T00:30Cuba', '2026-03-08T05:30:00.000Z'],
    ['2026-04-24T00:30Egypt', '2026-04-23T22:30:00.000Z'],
    ['2026-09-27T02:30NZ', '2026-09-26T14:30:00.000Z'],
    // The whole day was skipped.
    ['1993-08-21T12:00Kwajalein', '1993-08-22T00:00:00.000Z'],
    ['1993-08-20T23:00Kwajalein', '1993-08-21T11:00:00.000Z'],
    ['1993-08-22T01:00Kwajalein', '1993-08-21T13:00:00.000Z'],
  ])('that clocks skip moves forward by the length of the gap: %s is %s', (written, expected) => {
    expect(parseTime(written)).toBe(expected)
  })

  it.each([
    ['2026-10-25T02:30CET', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00CET', '2026-10-25T02:00:00.000Z'],
    ['2026-11-01T01:30Navajo', '2026-11-01T07:30:00.000Z'],
    ['2026-11-01T02:00Navajo', '2026-11-01T09:00:00.000Z'],
    ['2026-11-01T00:30Cuba', '2026-11-01T04:30:00.000Z'],
  ])('that occurs twice is the first occurrence: %s is %s', (written, expected) => {
    expect(parseTime(written)).toBe(expected)
  })

  it.each([
    ...[
      '2024-02-31',
      '2023-02-29',
      '2024-13-01',
      '2024-01-32',
      '2024-6-1',
      '20240601',
      '1717200000',
    ],
    ...['now', '', '2024-06-01T12:30.5', '2024-06-01T12:30:00.123456', '2024-06-01T12:30+02'],
    ...[
      '2024-06-01 12:30',
      '2024-06-01T25:00',
      '2024-06-01T24:01',
      '2024-06-01T12:60',
      '0000-01-01',
    ],
    ...['2024-06-01T12:30 Z', '2024-06-01NOZONE', '12024-06-01'],
  ])('cannot be %j', (written) => {
    expect(parseTime(written)).toBeUndefined()
  })

  it('may not be after the end of its range', () => {
    const day = { from: '2024-06-01', to: '2024-06-02' }
    expect(readRange(day).to).toBe('2024-06-02T00:00:00.000Z')
    expect(readRange({ from: day.from, to: day.from }).to).toBe('2024-06-01T00:00:00.000Z')
    expect(() => readRange({ from: day.to, to: day.from })).toThrow('before it starts')
  })
})

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
  ])('in UTC converts %s to %s', (printed, expected) => {
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
    ['Europe/Rome', '1860-06-01 00:00:00+00', '1860-06-01 00:50:00.000+0050'],
    ['America/New_York', '1860-06-01 00:00:00+00', '1860-05-31 19:04:00.000-0456'],
    ['Europe/Rome', '9999-12-31 22:59:59+00', '9999-12-31 23:59:59.000+0100'],
    ['Europe/Rome', '9999-12-31 23:59:59.5+00', '9999-12-31 23:59:59.500+0000'],
    ['America/New_York', '0001-01-01 00:00:00+00', '0001-01-01 00:00:00.000+0000'],
  ])('in %s converts %s to %s', (zone, printed, expected) => {
    expect(printIn(zone, printed)).toBe(expected)
  })
})
