import { expect, it } from 'vitest'
import { fileName, formats } from './formats.ts'

it('names files by content and period', () => {
  const csv = formats.find(({ name }) => name === 'csv')
  expect(csv).toBeDefined()
  if (csv === undefined) return
  const path =
    '/v2/flat,node/ParkingStation/elapsed%20time/2026-11-01T00:00:00Z/2026-11-08T00:00:00Z'
  expect(fileName(path, csv)).toBe('ParkingStation-elapsed_time-2026-11-01-2026-11-08.csv')
})
