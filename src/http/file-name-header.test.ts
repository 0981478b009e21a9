import { expect, it } from 'vitest'
import { dispositionOf } from './negotiate.ts'

const parquet = {
  name: 'parquet',
  mediaTypes: ['application/vnd.apache.parquet'],
  extension: 'parquet',
} as const
const csv = { name: 'csv', mediaTypes: ['text/csv'] } as const

it.each([
  [['ParkingStation', 'free', 'latest'], 'ParkingStation-free-latest.parquet'],
  [['P,Q', '*', '2026-01-01T00:00', '2026-02-01'], 'P-Q-2026-01-01T00-00-2026-02-01.parquet'],
  [['*'], 'all.parquet'],
  [['a"; filename="x.exe\r\n', 'Größe'], 'a-filename-x-exe-Gr-e.parquet'],
  [['x'.repeat(500)], `${'x'.repeat(100)}.parquet`],
])('A file of %j is named %s', (segments, name) => {
  expect(dispositionOf(parquet, segments)).toBe(`attachment; filename="${name}"`)
})

it('A format that browsers display has no file name', () => {
  expect(dispositionOf(csv, ['P'])).toBeUndefined()
})
