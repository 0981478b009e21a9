import { describe, expect, it } from 'vitest'
import type { TextRow } from '../../storage/index.ts'
import { timePrinter, utc } from '../time.ts'
import { flatWriter } from './answer.ts'
import type { Column } from './members.ts'

const columns: readonly Column[] = [
  { key: '_timestamp', type: 'time', index: 0 },
  { key: 'sname', type: 'text', index: 1 },
  { key: 'sactive', type: 'boolean', index: 2 },
  { key: 'smetadata', type: 'json', index: 3 },
  { key: 'scoordinate', type: 'point', index: 4 },
  { key: 'mperiod', type: 'integer', index: 5 },
  { key: 'mvalue', type: 'value', index: 6 },
]

const full: TextRow = [
  '2026-11-20 12:00:00+00',
  'Über "42"\u2028',
  'f',
  '{"n": 1.50}',
  '{"x":11.35,"y":46.49,"srid":4326}',
  '300',
  '12345678901234567890.5',
]
const bare: TextRow = ['2026-11-20 12:00:00+00', null, 't', null, null, null, null]

function write(pages: readonly (readonly TextRow[])[], showNull = false): string {
  const writer = flatWriter(columns, { showNull, printTime: timePrinter(utc) })
  return pages.map((rows) => writer.rows(rows)).join('') + writer.end()
}

describe('Flat rows', () => {
  it('are an empty array when there are none', () => {
    expect(write([[]])).toBe('[]')
  })

  it('encode each value by its type and pass JSON through untouched', () => {
    const text = write([[full]])
    expect(JSON.parse(text)).toMatchObject([
      {
        _timestamp: '2026-11-20 12:00:00.000+0000',
        sname: 'Über "42"\u2028',
        sactive: false,
        mperiod: 300,
      },
    ])
    expect(text).toContain('"smetadata":{"n": 1.50}')
    expect(text).toContain('"mvalue":12345678901234567890.5')
  })

  it('leave out nulls unless they are requested', () => {
    expect(JSON.parse(write([[bare]]))).toEqual([
      { _timestamp: '2026-11-20 12:00:00.000+0000', sactive: true },
    ])
    expect(JSON.parse(write([[bare]], true))).toMatchObject([
      { sname: null, scoordinate: null, mvalue: null },
    ])
  })

  it('form one array regardless of paging', () => {
    expect(write([[full], [], [bare, full]])).toBe(write([[full, bare, full]]))
  })
})
