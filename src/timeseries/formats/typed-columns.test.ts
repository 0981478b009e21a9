import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArrow, readParquetFile } from '../../../test/fixtures/read-columns.ts'
import type { TextRow } from '../../storage/index.ts'
import type { FieldType } from '../catalogue/groups.ts'
import { flatWriter } from '../read/answer.ts'
import type { Column } from '../read/members.ts'
import { timePrinter, utc } from '../time.ts'
import { arrow, parquet } from './index.ts'
import type { Listing } from './format.ts'

const formats = [
  { format: arrow, read: readArrow },
  { format: parquet, read: readParquetFile },
]

type Given = Pick<Listing, 'columns'> & {
  readonly slices: Iterable<readonly TextRow[]>
  readonly kinds?: Listing['kinds']
  readonly showNull?: boolean
}

/** Writes rows in a format and reads them back with an independent reader. */
async function pass({ format, read }: (typeof formats)[number], given: Given) {
  const { columns, slices, kinds = { text: false, json: false }, showNull = true } = given
  const style = { showNull, printTime: timePrinter(utc) }
  const data = flatWriter(columns, style)
  const listing = { offset: 0, limit: -1, columns, style, data, bom: false, kinds, zone: 'UTC' }
  const writer = await format.open(listing)
  const pieces: Uint8Array[] = [...bytesOf(writer.begin())]
  for (const rows of slices) pieces.push(...bytesOf(writer.rows(rows)))
  pieces.push(...bytesOf(writer.end()))
  return read(Buffer.concat(pieces))
}

function bytesOf(written: string | Iterable<Uint8Array>): Iterable<Uint8Array> {
  if (typeof written === 'string') throw new TypeError('Columns are not text.')
  return written
}

/** A value as the database prints it, and as a reader of columns must return it. */
type Known = { readonly printed: string | null; readonly found: unknown }
const nothing: Known = { printed: null, found: null }

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const asPrinted = (printed: string): Known => ({ printed, found: printed })
const asNumber = (found: number): Known => ({ printed: String(found), found })
/** Texts without zero bytes, which PostgreSQL does not support. */
const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''))
const json = fc.object().map((value) => JSON.stringify(value))
const printTime = (found: number): Known => ({
  printed: new Date(found).toISOString().replace('T', ' ').replace('Z', '+00'),
  found,
})
const printPoint = ([x, y]: readonly [number, number]): Known => ({
  printed: `{"x":${String(x)},"y":${String(y)},"srid":4326}`,
  found: { x, y },
})

const fields: readonly (readonly [FieldType, fc.Arbitrary<Known>])[] = [
  ['text', text.map(asPrinted)],
  ['json', json.map(asPrinted)],
  ['geometry', json.map(asPrinted)],
  ['number', number.map(asNumber)],
  ['integer', fc.integer().map(asNumber)],
  ['bigint', fc.maxSafeInteger().map(asNumber)],
  ['boolean', fc.boolean().map((found) => ({ printed: found ? 't' : 'f', found }))],
  ['time', fc.integer({ min: -6e13, max: 2e14 }).map(printTime)],
  ['point', fc.tuple(number, number).map(printPoint)],
]
const columns = fields.map(([type], index): Column => ({ key: type, type, index }))
const rows = fc.array(
  fc.tuple(
    ...fields.map(([, arbitrary]) =>
      fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: fc.constant(nothing) }),
    ),
  ),
  { maxLength: 40 },
)

describe.each(formats)('Columns of $format.name', (pair) => {
  it('contain all written rows with their nulls, however the rows are sliced', async () => {
    const slices = fc.array(rows, { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(slices, async (given) => {
        const printed = given.map((slice) => slice.map((row) => row.map((known) => known.printed)))
        const expected = given.flat().map((row) => row.map((known) => known.found))
        const { rows: found } = await pass(pair, { columns, slices: printed })
        expect(found.map((row) => columns.map(({ key }) => row[key]))).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('exist even without rows', async () => {
    const { rows: found, names } = await pass(pair, { columns, slices: [] })
    expect(found).toEqual([])
    expect(names).toEqual(columns.map(({ key }) => key))
  })

  it('separate values by kind if there are several kinds', async () => {
    const value: readonly Column[] = [{ key: 'mvalue', type: 'value', index: 0 }]
    const slices = [[['-1.5e-7'], ['"a \\"b\\" \\u20ac"'], ['{"n": 1}'], ['[1]'], [null], ['12']]]
    const all = await pass(pair, { columns: value, slices, kinds: { text: true, json: true } })
    expect(all.names).toEqual(['mvalue', 'mvalue_text', 'mvalue_json'])
    expect(all.rows.map((row) => all.names.map((name) => row[name]))).toEqual([
      [-1.5e-7, null, null],
      [null, 'a "b" €', null],
      [null, null, '{"n": 1}'],
      [null, null, '[1]'],
      [null, null, null],
      [12, null, null],
    ])
    const numbers = await pass(pair, { columns: value, slices: [[['1'], ['2.5']]] })
    expect(numbers.rows).toEqual([{ mvalue: 1 }, { mvalue: 2.5 }])
  })

  it('leave out rows without any shown value, unless nulls are shown', async () => {
    const given = { columns: columns.slice(0, 1), slices: [[['a'], [null], ['b']]] }
    expect((await pass(pair, { ...given, showNull: false })).rows).toHaveLength(2)
    expect((await pass(pair, given)).rows).toHaveLength(3)
  })

  it('contain texts that rows share, including those that become known later', async () => {
    const known = new Map<string, TextRow>()
    const of = { key: 0, rows: known }
    const shared: readonly Column[] = [
      { key: 'id', type: 'integer', index: 0 },
      { key: 'name', type: 'text', index: 1, of },
      { key: 'about', type: 'json', index: 2, of },
      { key: 'place', type: 'point', index: 3, of },
    ]
    const nameOf = (id: number) => (id % 5 === 0 ? null : `name ${String(id % 7)}`)
    /** Yields pages of ids. The texts of each page become known before it is written. */
    function* pages() {
      for (let page = 0; page < 40; page++) {
        const ids = Array.from({ length: 1000 }, (_, row) => (row * 31) % (100 + page * 10))
        for (const id of ids) {
          const point = `{"x":${String(id)},"y":1,"srid":4326}`
          known.set(String(id), [String(id), nameOf(id), `{"id":${String(id)}}`, point])
        }
        yield ids.map((id) => [String(id)])
      }
    }
    const { rows: found } = await pass(pair, { columns: shared, slices: pages() })
    expect(found).toHaveLength(40_000)
    const wrong = found.filter(({ id, name, about, place }) => {
      const isRight = name === nameOf(Number(id)) && about === JSON.stringify({ id })
      return !isRight || JSON.stringify(place) !== JSON.stringify({ x: id, y: 1 })
    })
    expect(wrong).toEqual([])
  })
})
