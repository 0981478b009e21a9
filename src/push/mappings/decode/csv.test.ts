import fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, it } from 'vitest'
import type { CsvDialect } from './csv.ts'
import { decodePayload } from './decode-payload.ts'
import type { BrokenItem } from './text.ts'

function decode(text: string | Uint8Array, csv: CsvDialect = {}) {
  const broken: BrokenItem[] = []
  const body = typeof text === 'string' ? Buffer.from(text) : text
  const value = decodePayload(body, [{ csv }], {
    maxBytes: 50_000_000,
    maxDepth: 20,
    reportBroken: (one) => void broken.push(one),
  })
  return { value, broken }
}

const rows = (text: string | Uint8Array, csv?: CsvDialect) => {
  const { value, broken } = decode(text, csv)
  expect(broken).toEqual([])
  return value
}

const row = (a: string, b: string) => ({ a, b })

type Quoted = { readonly delimiter?: string; readonly quote?: string; readonly escape?: string }

describe('csv', () => {
  it('is decoded to objects of strings by column', () => {
    expect(rows('code,name\r\np1,"Market, ""square"""\r\np2, Station \n')).toEqual([
      { code: 'p1', name: 'Market, "square"' },
      { code: 'p2', name: 'Station' },
    ])
  })

  it.each<[string, CsvDialect]>([
    ['a;b\n1;2', { delimiter: ';' }],
    ['a\tb\n1\t2', { delimiter: '\t', quote: false }],
    ['a||b\n1||2', { delimiter: '||' }],
    ["a,b\n'1','2'", { quote: "'" }],
    ['# manually\na,b\n# more\n1,2', { comment: '#' }],
    ['Report\n\na,b\n1,2', { skip: 2 }],
    ['Report 5" \na,b\n1,2', { skip: 1 }],
    ['Report "May" of 2026\na,b\n1,2', { skip: 1 }],
    ['Report\r\n"\ra,b\n1,2', { skip: 2 }],
    ['a,b\r\n1,2\n', {}],
    ['a,b\r1,2\r\n', {}],
    ['a,b\n1,2\r\r\n', {}],
    ['1,2', { header: ['a', 'b'] }],
    ['\uFEFFa,b\n1,2', {}],
    ['a,b,\n1,2,', {}],
    ['a,b\n\n \n1,2\n\n', {}],
  ])('reads %j in its dialect', (text, dialect) => {
    expect(rows(text, dialect)).toEqual([{ a: '1', b: '2' }])
  })

  it('keeps quotes if quoting is off, and spaces if trimming is off', () => {
    expect(rows('a\n"x" ', { quote: false, trim: false })).toEqual([{ a: '"x" ' }])
    expect(rows('a\n"x\\"y"', { escape: '\\' })).toEqual([{ a: 'x"y' }])
  })

  it('is decoded in its charset', () => {
    expect(rows(Buffer.from('a\nBrünn', 'latin1'), { charset: 'windows-1252' })).toEqual([
      { a: 'Brünn' },
    ])
  })

  it('is decoded to lists if it has no header', () => {
    expect(rows('1,2\n3', { header: false })).toEqual([['1', '2'], ['3']])
  })

  it('skips broken rows and reports their lines', () => {
    expect(decode('a,b\n1,2\n3\n4,5"x\n6,7,8\n9,10')).toEqual({
      value: [
        { a: '1', b: '2' },
        { a: '9', b: '10' },
      ],
      broken: [
        { line: 3, reason: 'csv, line 3: this row has 1 fields, the header has 2' },
        { line: 4, reason: expect.stringMatching(/^csv, line 4: Invalid Opening Quote/) },
        { line: 5, reason: 'csv, line 5: this row has 3 fields, the header has 2' },
      ],
    })
  })

  it.each<[string, string, CsvDialect, unknown[], number[]]>([
    [
      'a closed quote with more behind it',
      'a;b\n"1"x;2\n3;4\n5;6\n"7";8\n9;10',
      { delimiter: ';' },
      [row('3', '4'), row('5', '6'), row('7', '8'), row('9', '10')],
      [2],
    ],
    [
      'the same behind a blank',
      'a;b\n1;2\n3;"x" y\n5;6\n9;10',
      { delimiter: ';' },
      [row('1', '2'), row('5', '6'), row('9', '10')],
      [3],
    ],
    ['a quote that is not closed', 'a,b\n1,"2\n3,4\n', {}, [row('3', '4')], [2]],
    [
      'one of them behind blank lines and comments',
      'a,b\r\n1,2\r\n\r\n # "\r\n3,"x" y\r\n5,"6\r\n7"\r\n"8"8,9\r\n8,9',
      { comment: '#' },
      [row('1', '2'), row('5', '6\r\n7'), row('8', '9')],
      [5, 8],
    ],
    [
      'several, one below the other',
      'a,b\n"1"x,2\n"3"x,4\n5,6\n"7"x,8',
      {},
      [row('5', '6')],
      [2, 3, 5],
    ],
    [
      'one in a text with skipped lines',
      '"\n"\na,b\n"1"x,2\n3,4',
      { skip: 2 },
      [row('3', '4')],
      [4],
    ],
  ])('keeps every valid row despite %s', (_name, text, dialect, value, lines) => {
    const decoded = decode(text, dialect)
    expect(decoded.value).toEqual(value)
    expect(decoded.broken.map(({ line }) => line)).toEqual(lines)
    for (const { reason } of decoded.broken) expect(reason).toMatch(/Quote/)
  })

  it('reports the line of a row for any line ending', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = ['Report', 'a,b', '1,"2', '3"', '', '4', '5,6']
      expect(decode(lines.join(end), { skip: 1 }).broken).toMatchObject([{ line: 6 }])
    }
  })

  it('keeps every valid row among unreadable ones', () => {
    const bad = fc.constantFrom('"1"x,2', '1,"2" y', '1"x,2', '1,2"', '"1""x"y,2')
    const good = fc.integer({ min: 0, max: 999 }).map((number) => `${String(number)},"b"`)
    const end = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(bad, good), end), { maxLength: 30 }), (lines) => {
        const { value, broken } = decode(`a,b\n${lines.flat().join('')}`)
        const isGood = ([line]: readonly string[]) => line?.endsWith(',"b"') === true
        expect(value).toEqual(
          lines.filter(isGood).map(([line]) => row(line.replace(',"b"', ''), 'b')),
        )
        const places = lines.flatMap((line, index) => (isGood(line) ? [] : [index + 2]))
        expect(broken.map(({ line }) => line)).toEqual(places)
      }),
    )
  })

  it('is refused when its header cannot be read', () => {
    expect(() => decode('a,"b"x\n1,2\n3,4')).toThrow(/line 1: the header cannot be read: .*Quote/)
  })

  it('is refused if too many rows cannot be read, as with a wrong dialect', () => {
    expect(() => decode(`a,b\n${'1,2"\n'.repeat(1001)}`)).toThrow(/more than 1000 rows .*dialect/)
  })

  it('accepts rows of any length if the dialect allows it', () => {
    expect(rows('a,b\n1\n1,2,3', { ragged: true })).toEqual([{ a: '1' }, { a: '1', b: '2' }])
  })

  it('is refused when its header names a column twice', () => {
    expect(() => decode('a,a\n1,2')).toThrow(/names the column "a" twice/)
  })

  it('keeps a column __proto__ like any other', () => {
    expect(JSON.stringify(rows('__proto__\nx'))).toBe('[{"__proto__":"x"}]')
  })

  it('is decoded to the values that were written', () => {
    const cell = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text === text.trim())
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1 })
    const dialect = fc.constantFrom<Quoted>(
      {},
      { delimiter: ';' },
      { delimiter: '\t', quote: "'" },
      { delimiter: '|', escape: '\\' },
    )
    fc.assert(
      fc.property(table, dialect, (written, csv) => {
        const { delimiter = ',', quote = '"', escape = quote } = csv
        const text = stringify(written, { delimiter, quote, escape, quoted: true })
        expect(rows(text, { ...csv, header: false })).toEqual(written)
      }),
    )
  })

  it.each([
    ['columns', `${'a,'.repeat(200_000)}\n${'1,'.repeat(200_000)}`],
    ['an open quote', `a,b\n1,"2\n${'3,4\n'.repeat(200_000)}`],
    ['open quotes', `a,b\n${'"x\n'.repeat(200_000)}`],
    ['broken rows', `a,b\n${'1,2"\n'.repeat(200_000)}`],
    ['blanks', `a,b\n${' '.repeat(1_000_000)}`],
  ])('is decoded in linear time: %s', (_name, text) => {
    const started = performance.now()
    try {
      decode(text)
    } catch {
      // A fault is as acceptable as rows; only the time counts.
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
