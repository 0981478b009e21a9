import { describe, expect, it } from 'vitest'
import { sql } from '../../../sql/index.ts'
import type { ChosenSeries } from './choose-series.ts'
import { packJson, packNumbers, packTimes } from './packing.ts'
import { listsOf, unpackBySeries, unpackByTime } from './value-rows.ts'

/**
 * Two series of one station and data type, and one of another station, in the order of the
 * response.
 */
const ids = ['7', '3', '5']
const series: ChosenSeries = {
  ids,
  stations: ['1', '1', '2'],
  dataTypes: ['9', '9', '9'],
  periods: ['60', '600', '60'],
  placeOf: new Map(ids.map((id, place) => [id, place])),
  kinds: { text: false, json: false },
  share: { kind: 'most' },
  catalogue: '',
}
const packed = [packNumbers(sql`m.number`), packJson(sql`m.json`)]
const [noon, one] = ['2026-11-20 12:00:00+00', '2026-11-20 13:00:00+00']

describe('Values packed by time', () => {
  it('are ordered by series', () => {
    const rows = unpackByTime(
      series,
      packed,
    )([[noon, '3', '{3,5,7}', '{1,NULL,3.5}', '{"a": 1}\n\n3']])
    expect(rows).toEqual([
      [noon, '1', '9', '60', '3.5', '3'],
      [noon, '1', '9', '600', '1', '{"a": 1}'],
      [noon, '2', '9', '60', null, null],
    ])
  })

  it('match the series of each time, even if those differ from the previous time', () => {
    const rows = unpackByTime(
      series,
      [],
    )([
      [noon, '1', '{3}'],
      [one, '2', '{5,7}'],
      [one, '2', '{5,7}'],
    ])
    expect(rows.map(([, , , period]) => period)).toEqual(['600', '60', '60', '60', '60'])
  })

  it('leave out series that were added after the others were chosen', () => {
    expect(unpackByTime(series, [])([[noon, '2', '{8,5}']])).toEqual([[noon, '2', '9', '60']])
  })
})

describe('Values packed by series', () => {
  it('are grouped by station and data type, ordered by time and then series', () => {
    const rows = unpackBySeries(series, [packTimes(sql`m.transaction_time`)])([
      ['3', '2', `{"${noon}","${one}"}`, `{"a b","c d"}`],
      ['5', '1', `{"${noon}"}`, `{"e f"}`],
      ['7', '2', `{"${noon}","${one}"}`, `{"g h","i j"}`],
    ])
    expect(
      rows.map(([time, station, , period, transaction]) => [time, station, period, transaction]),
    ).toEqual([
      [noon, '1', '60', 'g h'],
      [noon, '1', '600', 'a b'],
      [one, '1', '60', 'i j'],
      [one, '1', '600', 'c d'],
      [noon, '2', '60', 'e f'],
    ])
  })
})

describe('The lists of the tree', () => {
  it('start where the station or the data type changes', () => {
    expect(listsOf(series)).toEqual([0, 2])
  })
})
