import { expect, it } from 'vitest'
import { nearest, toSamples, textsOf, toSegments } from './samples.ts'

const series = (key: string, code: string, period?: number) => ({
  type: 'A',
  code,
  dataType: 'x',
  key,
  station: '',
  unit: '',
  description: '',
  kind: 'number' as const,
  step: undefined,
  state: 'fresh' as const,
  latest: undefined,
  ...(period === undefined ? {} : { period }),
})

it('assigns rows to each series, with a band for buckets', () => {
  const row = { scode: '1', mperiod: 60, mvalidtime: '1970-01-01 00:00:01.000+0000' }
  const samples = toSamples(
    [
      { ...row, 'avg(mvalue)': 2, 'min(mvalue)': 1, 'max(mvalue)': 3 },
      { ...row, scode: '2', mvalue: 'dry' },
    ],
    [series('a', '1'), series('b', '2'), series('c', '3')],
  )
  expect(samples.get('a')).toEqual({ times: [1000], values: [2], low: [1], high: [3] })
  expect(samples.get('b')).toEqual({ times: [1000], values: ['dry'] })
  expect(samples.get('c')).toEqual({ times: [], values: [] })
})

it('distinguishes series of one station by their period', () => {
  const row = (mperiod: number, mvalue: number) => ({
    scode: '1',
    mperiod,
    mvalue,
    mvalidtime: '1970-01-01 00:00:01.000+0000',
  })
  const samples = toSamples([row(60, 1), row(600, 2)], [series('a', '1', 600)])
  expect(samples.get('a')?.values).toEqual([2])
})

it('finds the nearest value within reach, before or after', () => {
  const times = [0, 10, 20]
  expect([-100, 4, 6, 26, 40].map((at) => nearest(times, at, 10))).toEqual([-1, 0, 1, 2, -1])
  expect(nearest([], 0, 10)).toBe(-1)
})

const window = { from: 0, to: 100 }

it('joins equal values, and ends a segment where a gap starts', () => {
  const samples = { times: [0, 10, 20, 60], values: ['dry', 'dry', 'wet', 'wet'] }
  expect(toSegments(samples, 15, window)).toEqual([
    { from: 0, to: 20, text: 'dry' },
    { from: 20, to: 30, text: 'wet' },
    { from: 60, to: 70, text: 'wet' },
  ])
})

it('extends the last value to the end if the interval is unknown', () => {
  expect(toSegments({ times: [50], values: ['dry'] }, 0, window)).toEqual([
    { from: 50, to: 100, text: 'dry' },
  ])
})

it('does not exceed the window', () => {
  expect(toSegments({ times: [-10, 90], values: ['a', 'b'] }, 0, window)).toEqual([
    { from: 0, to: 90, text: 'a' },
    { from: 90, to: 100, text: 'b' },
  ])
})

it('lists texts by duration, longest first', () => {
  const segments = toSegments({ times: [0, 10], values: ['a', 'b'] }, 0, window)
  expect(textsOf(segments)).toEqual(['b', 'a'])
})
