import { describe, expect, it } from 'vitest'
import { toInstant } from './instant.ts'

describe('An instant', () => {
  it.each([
    ['2026-11-20T12:00Z', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T13:00:00+01:00', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T13:00:00+0100', '2026-11-20T12:00:00.000000Z'],
    ['2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.500000Z'],
    ['2026-11-20T12:00:00.1234567Z', '2026-11-20T12:00:00.123456Z'],
    ['2026-11-20T12:00:00.12345Z', '2026-11-20T12:00:00.123450Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ])('has one spelling: %s is %s', (written, instant) => {
    expect(toInstant(written)).toBe(instant)
  })

  it.each([
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    'now',
  ])('of the years 0001 to 9999 is not %s', (written) => {
    expect(toInstant(written)).toBeUndefined()
  })
})
