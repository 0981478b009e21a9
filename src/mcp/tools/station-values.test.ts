import { describe, expect, it } from 'vitest'
import type { Members } from '../../lang/json.ts'
import { toSeries } from './station-values.ts'

const station = { scode: 'a', sname: 'A', tname: 'x', tunit: '' }
const row = (mperiod: number, values: Members): Members => ({ ...station, mperiod, ...values })

describe('Rows of series', () => {
  it('form one series if station, type, period and kind of value are the same', () => {
    const shown = toSeries([
      row(60, { mvalidtime: 1, 'avg(mvalue)': 2, 'first(mvalue)': 2, 'count(mvalue)': 1 }),
      row(60, { mvalidtime: 1, 'first(mvalue)': 'open', 'count(mvalue)': 3 }),
      row(60, { mvalidtime: 1, 'first(mvalue)': { a: 1 }, 'count(mvalue)': 4 }),
      row(300, { mvalidtime: 1, 'first(mvalue)': 'shut', 'count(mvalue)': 3 }),
      row(60, { mvalidtime: 2, 'avg(mvalue)': 3, 'first(mvalue)': 3, 'count(mvalue)': 1 }),
    ])
    const some = ['mvalidtime', 'first(mvalue)', 'count(mvalue)']
    const numbers = ['mvalidtime', 'avg(mvalue)', 'first(mvalue)', 'count(mvalue)']
    expect(shown).toEqual([
      {
        ...station,
        mperiod: 60,
        columns: numbers,
        values: [
          [1, 2, 2, 1],
          [2, 3, 3, 1],
        ],
      },
      { ...station, mperiod: 60, columns: some, values: [[1, 'open', 3]] },
      { ...station, mperiod: 60, columns: some, values: [[1, { a: 1 }, 4]] },
      { ...station, mperiod: 300, columns: some, values: [[1, 'shut', 3]] },
    ])
  })
})
