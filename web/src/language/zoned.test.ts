import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasZone, readTime } from './zoned.ts'

describe.each(['Europe/Rome', 'America/New_York', 'UTC'])('In %s', (zone) => {
  beforeEach(() => {
    vi.stubEnv('TZ', zone)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('a day, or a time without a zone, is read as written', () => {
    expect(readTime('2027-01-01')).toEqual(new Date('2027-01-01T00:00Z'))
    expect(readTime('2026-11-22T00:00:00')).toEqual(new Date('2026-11-22T00:00Z'))
    expect(hasZone('2026-11-22T00:00:00')).toBe(false)
  })

  it('a time with a zone is read as that moment, in both notations of the hub', () => {
    const moment = new Date('2026-11-22T08:27:00Z')
    expect(readTime('2026-11-22 08:27:00.000+0000')).toEqual(moment)
    expect(readTime('2026-11-22T09:27:00+01:00')).toEqual(moment)
    expect(hasZone('2026-11-22 08:27:00.000+0000')).toBe(true)
    expect(readTime('2026-11-22T09:27+0100')).toEqual(moment)
    expect(hasZone('2026-11-22T09:27+0100')).toBe(true)
  })
})

it('returns nothing for an invalid time', () => {
  expect(readTime('soon')).toBeUndefined()
})
