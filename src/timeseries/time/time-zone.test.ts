import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors/index.ts'
import { readTimeZone } from '../read/plan.ts'
import { parseTimeZone, utc } from './time-zone.ts'

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
    ['+02:00:30', 2 * hour + 30_000],
    [' 02:00', 2 * hour],
    ['UTC 2', 2 * hour],
  ])('may be written %s', (name, offset) => {
    expect(offsetOf(name)).toBe(offset)
  })

  it.each([
    ['z', 'UTC'],
    ['europe/rome', 'Europe/Rome'],
    ['+2', '+02:00'],
    ['UTC-0330', '-03:30'],
    ['+02:00:30', 'UTC'],
  ])('that is written %s has a name that others know', (written, name) => {
    expect(parseTimeZone(written)?.name).toBe(name)
  })

  it.each(['foo', 'Europe/Nowhere', '+25', '+02:75', ''])('is not %j', (name) => {
    expect(parseTimeZone(name)).toBeUndefined()
  })

  it('is UTC when none is given, and an error that names the parameter when it is unknown', () => {
    expect(readTimeZone(undefined)).toBe(utc)
    expect(() => readTimeZone('foo')).toThrow(AppError)
  })
})
