import { describe, expect, it } from 'vitest'
import { firstKept, monthsBetween, tableOf } from './months.ts'

describe('The first month that is kept', () => {
  it('is whole months before the current one, across years; 0 keeps all', () => {
    const at = (day: string) => new Date(`${day}T23:59:59Z`)
    expect(firstKept(0, at('2026-11-20'))).toBeUndefined()
    expect(firstKept(1, at('2026-01-31'))).toBe('2025-12')
    expect(firstKept(12, at('2026-11-30'))).toBe('2025-11')
    expect(firstKept(13, at('2026-12-31'))).toBe('2025-11')
  })
})

describe('Months', () => {
  it('are listed across a year boundary', () => {
    expect(monthsBetween('2025-11', '2026-02')).toEqual([
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ])
    expect(monthsBetween('2026-02', '2026-01')).toEqual([])
    expect(tableOf('2026-02')).toBe('measurement_2026_02')
  })
})
