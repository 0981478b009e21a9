import { expect, it } from 'vitest'
import { toColumns } from './columns.ts'

it('breaks a line at a missing value, independent of other lines', () => {
  const { times, columns } = toColumns([
    { times: [0, 10, 40, 50], values: [1, 2, 3, 4], gapAfter: 15 },
    { times: [5, 15, 25, 35, 45], values: [9, 9, 9, 9, 9], gapAfter: 15 },
  ])
  const at = (time: number) => columns[0]?.[times.indexOf(time)]
  expect([0, 10, 40, 50].map(at)).toEqual([1, 2, 3, 4])
  expect([15, 25, 35].map(at)).toEqual([null, null, null])
  // Outside the gap, times of other lines do not break the line.
  expect([5, 45].map(at)).toEqual([undefined, undefined])
  expect(columns[3]?.includes(null)).toBe(false)
})

it('never joins two values by a straight line across a gap', () => {
  const { times, columns } = toColumns([{ times: [0, 100], values: [1, 2], gapAfter: 15 }])
  expect(times).toHaveLength(3)
  expect(columns[0]).toEqual([1, null, 2])
})

it('has a band beside its line, with the same breaks', () => {
  const { columns } = toColumns([
    { times: [0, 100], values: [2, 3], low: [1, 2], high: [3, 4], gapAfter: 15 },
  ])
  expect(columns).toEqual([
    [2, null, 3],
    [1, null, 2],
    [3, null, 4],
  ])
})

it('lists the values that only a dot can show', () => {
  const { times, alone } = toColumns([
    { times: [0, 100, 110, 200], values: [1, 2, 3, 4], gapAfter: 15 },
  ])
  expect(alone[0]?.map((place) => times[place])).toEqual([0, 200])
})
