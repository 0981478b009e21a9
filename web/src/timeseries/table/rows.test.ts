import { expect, it } from 'vitest'
import { columnsOf, rowsOf, toCsv } from './rows.ts'

const series = (key: string) => ({
  type: 'A',
  code: key,
  dataType: 'x',
  key,
  station: key,
  unit: '',
  description: '',
  kind: 'number' as const,
  step: undefined,
  state: 'fresh' as const,
  latest: undefined,
})
const samples = new Map([
  ['a', { times: [0, 1000], values: [2, 4], low: [1, 3], high: [3, 5] }],
  ['b', { times: [1000, 9000], values: ['dry', 'wet'] }],
])

it('has a row for each time in the window, newest first, with gaps for missing values', () => {
  const columns = columnsOf([series('a'), series('b')], samples)
  expect(columns.map(({ figure }) => figure)).toEqual(['average', 'least', 'greatest', 'value'])
  expect(rowsOf(columns, samples, { from: 0, to: 5000 })).toEqual([
    { time: 1000, cells: [4, 3, 5, 'dry'] },
    { time: 0, cells: [2, 1, 3, undefined] },
  ])
})

it('writes CSV oldest first, with quotes where they are needed', () => {
  const rows = [
    { time: 1000, cells: ['a, "b"'] },
    { time: 0, cells: [undefined] },
  ]
  expect(toCsv(['Time', 'x'], rows)).toBe(
    'Time,x\r\n1970-01-01T00:00:00.000Z,\r\n1970-01-01T00:00:01.000Z,"a, ""b"""',
  )
})
