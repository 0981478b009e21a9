import { expect, it } from 'vitest'
import { projectGrowth } from './storage-use.ts'

const now = new Date('2026-11-26T00:00:00Z')
const month = (name: string, bytes: number, rows: number | null = 1) =>
  ({ name: `measurement_${name}`, month: name, state: 'attached', rows, bytes }) as const

it('Growth is projected from the last three whole months that have values', () => {
  const partitions = [
    month('2026-07', 1000),
    month('2026-08', 10),
    month('2026-09', 20),
    month('2026-10', 30),
    month('2026-11', 5),
    month('2026-12', 1, 0),
  ]
  expect(projectGrowth(partitions, now)).toEqual({
    ...{ bytes: 1066, bytesPerMonth: 20, bytesInAYear: 1066 + 240 },
  })
})

it('Growth is not projected without a whole month of values', () => {
  const detached = { ...month('2026-10', 30), state: 'detached' } as const
  expect(projectGrowth([detached, month('2026-11', 5)], now)).toBeNull()
})
