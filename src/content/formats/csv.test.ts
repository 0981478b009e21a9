import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { skiRegion } from '../entities/places.ts'
import { toNaming } from '../naming.ts'
import { columnsOf, csv } from './csv.ts'

const context = {
  entity: skiRegion(toNaming('Hub')),
  representation: { fields: [], selectedBy: 'hub', removeNullValues: false } as const,
  addressOf: (id: string) => `http://hub.test/${encodeURIComponent(id)}`,
  bom: false,
  reduced: false,
}
const listing = {
  ...context,
  ...{ isBare: false, total: 0, totalPages: 0, pageNumber: 1 },
  ...{ previousPage: null, nextPage: null, seed: null, further: {} },
}

function tableOf(rows: readonly object[]): string {
  const records = rows.map((row, index) => ({ id: String(index), data: JSON.stringify(row) }))
  const writer = csv.list({ ...listing, columns: columnsOf(records, context) })
  return writer.begin() + writer.records(records) + writer.end()
}

/** Parses CSV with a reader that treats all cells as text. */
const read = (text: string): readonly Record<string, string>[] =>
  parse(text, { columns: true, record_delimiter: ['\r\n', '\n', '\r'] })

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"', ',', '\r\n', '\n', '\r', ' x ', '=1', ';', "'"),
)

describe('CSV', () => {
  it('preserves any text', () => {
    const row = fc.dictionary(fc.constantFrom('Id', 'a', 'b"', 'c,d'), cell, { minKeys: 1 })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const found = read(tableOf(rows))
        expect(found).toHaveLength(rows.length)
        rows.forEach((written, index) => {
          expect(found[index]).toMatchObject({ ...written })
        })
      }),
    )
  })

  it('writes numbers in full, flags as words, nested values as JSON and nothing for null', () => {
    const row = { Id: 'A', n: 0.1234567890123, yes: true, no: false, o: { a: [1, 'x'] }, nil: null }
    expect(tableOf([row])).toBe(
      'Id,n,yes,no,o,nil,Self\r\nA,0.1234567890123,true,false,"{""a"":[1,""x""]}",,http://hub.test/0\r\n',
    )
  })

  it('keeps its columns if a record does not have all fields', () => {
    expect(read(tableOf([{ a: '1' }, { b: '2', Id: 'x' }]))).toMatchObject([
      { Id: '', a: '1', b: '' },
      { Id: 'x', a: '', b: '2' },
    ])
  })

  it('fails rather than leaving out a field that has no column', () => {
    const writer = csv.list({ ...listing, columns: ['Id', 'Self'] })
    const late = { id: '1', data: '{"Id":"A","New":1}' }
    expect(() => writer.records([late])).toThrow('New')
  })
})
