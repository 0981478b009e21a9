import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMilliseconds } from '../../../test/fixtures/cpu-milliseconds.ts'
import { LanguageError } from '../../lang/index.ts'
import { readJson } from './read-json.ts'
import { readText } from './read-text.ts'

/** Removes positions, which differ between the two encodings. */
const plain = (node: unknown): unknown =>
  JSON.parse(
    JSON.stringify(node, (key, value: unknown) => (key === 'position' ? undefined : value)),
  )

const property = (name: string) => ({ property: name })
const ring = [
  [11, 46],
  [12, 46],
  [12, 47],
  [11, 47],
  [11, 46],
]

describe('CQL2', () => {
  it.each([
    ["a = 'it''s'", { op: '=', args: [property('a'), "it's"] }],
    [String.raw`a = 'it\'s'`, { op: '=', args: [property('a'), "it's"] }],
    ['"Detail.en.Title" <> \'\'', { op: '<>', args: [property('Detail.en.Title'), ''] }],
    ['mvalue.free>=-1.5e2', { op: '>=', args: [property('mvalue.free'), -150] }],
    ['Active', property('Active')],
    ['TRUE', true],
    [
      'not (a < 1 and b > 2) or c = false',
      {
        op: 'or',
        args: [
          {
            op: 'not',
            args: [
              {
                op: 'and',
                args: [
                  { op: '<', args: [property('a'), 1] },
                  { op: '>', args: [property('b'), 2] },
                ],
              },
            ],
          },
          { op: '=', args: [property('c'), false] },
        ],
      },
    ],
    ['a IS NULL', { op: 'isNull', args: [property('a')] }],
    ['a is not null', { op: 'not', args: [{ op: 'isNull', args: [property('a')] }] }],
    ["a like 'x%'", { op: 'like', args: [property('a'), 'x%'] }],
    [
      "casei(a) like casei('X%')",
      {
        op: 'like',
        args: [
          { op: 'casei', args: [property('a')] },
          { op: 'casei', args: ['X%'] },
        ],
      },
    ],
    [
      'a not between 1 and 3',
      { op: 'not', args: [{ op: 'between', args: [property('a'), 1, 3] }] },
    ],
    ["a in ('x', 'y')", { op: 'in', args: [property('a'), ['x', 'y']] }],
    [
      "accenti(a) = accenti('à')",
      {
        op: '=',
        args: [
          { op: 'accenti', args: [property('a')] },
          { op: 'accenti', args: ['à'] },
        ],
      },
    ],
    [
      "a > TIMESTAMP('2026-11-25T12:00:00Z')",
      {
        op: '>',
        args: [property('a'), { timestamp: '2026-11-25T12:00:00Z' }],
      },
    ],
    ["a = date('2026-11-25')", { op: '=', args: [property('a'), { date: '2026-11-25' }] }],
    [
      's_intersects(geometry, bbox(11,46,12,47))',
      {
        op: 's_intersects',
        args: [property('geometry'), { bbox: [11, 46, 12, 47] }],
      },
    ],
    [
      'S_WITHIN(geometry, POLYGON((11 46,12 46,12 47,11 47,11 46)))',
      {
        op: 's_within',
        args: [property('geometry'), { type: 'Polygon', coordinates: [ring] }],
      },
    ],
    [
      's_contains(geometry, point (11 46))',
      {
        op: 's_contains',
        args: [property('geometry'), { type: 'Point', coordinates: [11, 46] }],
      },
    ],
    [
      "T_DURING(a, INTERVAL('2026-11-25', '..'))",
      {
        op: 't_during',
        args: [property('a'), { interval: ['2026-11-25', '..'] }],
      },
    ],
    [
      "t_intersects(interval(begin, end), timestamp('2026-11-25T12:00:00+01:00'))",
      {
        op: 't_intersects',
        args: [
          { interval: [property('begin'), property('end')] },
          { timestamp: '2026-11-25T12:00:00+01:00' },
        ],
      },
    ],
  ])('reads %s like its JSON encoding', (text, json) => {
    expect(plain(readText(text))).toEqual(plain(readJson(JSON.stringify(json))))
  })

  it.each(['finishedBy', 'metBy', 'overlappedBy', 'startedBy'])(
    'reads t_%s in any case, as the standard spells it in JSON',
    (name) => {
      const json = (op: string) => plain(readJson(JSON.stringify({ op, args: [a, { date }] })))
      const [a, date] = [property('a'), '2026-11-25']
      const expected = plain(readText(`T_${name.toUpperCase()}(a, DATE('${date}'))`))
      expect(json(`t_${name}`)).toEqual(expected)
      expect(json(`T_${name.toUpperCase()}`)).toEqual(expected)
    },
  )

  it.each([
    ['a =', 3, 'a property'],
    ['a = 1 b', 6, 'AND'],
    ["a = 'x", 6, 'the closing quote'],
    ['(a = 1', 6, '")"'],
    ['a not 1', 6, 'LIKE'],
    ['1', 1, '='],
    ['s_near(a, b)', 0, 'S_INTERSECTS'],
    ["a = date('2026-02-30')", 9, '2026-11-25'],
    ['s_within(a, bbox(1,2,3))', 12, 'BBOX(11,46,12,47)'],
    ['s_within(a, POLYGON((1 1,2 2,3 3)))', 33, '1 1'],
    ['a like 5', 6, 'a text'],
    ['and = 1', 0, 'a property or a text in single quotes or a number'],
  ])('reports the position of the error in %j', (text, position, expected) => {
    let failure: unknown
    try {
      readText(text)
    } catch (error) {
      failure = error
    }
    expect(failure).toBeInstanceOf(LanguageError)
    expect(failure).toMatchObject({ position })
    expect(failure instanceof LanguageError && failure.expected.join(' ')).toContain(expected)
  })

  it.each([
    ['[]', 'an object with op and args'],
    ['{"op":"and","args":[true]}', 'two arguments or more'],
    ['{"op":"near","args":[1,2]}', 'no operator "near"'],
    ['{"op":"NOT","args":[true]}', 'no operator "NOT"'],
    ['{"op":"=","args":[{"property":"a"}]}', 'Expected two arguments at the top of the filter.'],
    ['{"op":"=","args":[{"property":"a"},{}]}', 'Expected {"property": "name"} at /args/1'],
    [
      '{"op":"s_within","args":[{"property":"a"},{"type":"Point","coordinates":["x",1]}]}',
      'GeoJSON',
    ],
    ['{"op":"=","args":[{"property":"a"},1,2]}', 'two arguments'],
    ['{"op":"not","args":[true,false]}', 'one argument'],
    ['{"op":"isNull","args":[{"property":"a"},{"property":"b"}]}', 'one argument'],
    ['{"op":"between","args":[{"property":"a"},1,2,3]}', 'three arguments'],
    ['{"op":"=","args":[{"op":"casei","args":["x","y"]},"x"]}', 'one argument at /args/0'],
    ['{"op":"s_within","args":[{"property":"a"},{"bbox":[null,null,90,90]}]}', 'A box has'],
    ['{"op":"s_within","args":[{"property":"a"},{"bbox":["1",true,90,90]}]}', 'A box has'],
    ['{', 'not JSON'],
  ])('reports the error in %s', (json, words) => {
    expect(() => readJson(json)).toThrow(words)
  })

  it('refuses filters that are too long or too deeply nested', () => {
    expect(() => readText(`${'('.repeat(40)}a = 1${')'.repeat(40)}`)).toThrow('at most 30 levels')
    const many = `a in (${Array.from({ length: 600 }, (_, index) => index).join(',')})`
    expect(() => readText(many)).toThrow('at most 500')
    const deep = `${'{"op":"not","args":['.repeat(40)}true${']}'.repeat(40)}`
    expect(() => readJson(deep)).toThrow('at most 30 levels')
    const folded = `${'{"op":"casei","args":['.repeat(40)}"x"${']}'.repeat(40)}`
    expect(() => readJson(`{"op":"=","args":[${folded},"x"]}`)).toThrow('at most 30 levels')
  })

  it('reads a text in time proportional to its length', () => {
    const read = () => {
      expect(() => readText(`a = '${'\\'.repeat(7000)}`)).toThrow('the closing quote')
    }
    expect(cpuMilliseconds(read)).toBeLessThan(500)
    expect(() => readText(`a = ${'casei('.repeat(600)}`)).toThrow('at most 500')
  })

  it('throws only errors that it explains', () => {
    const words = fc.constantFrom(
      ...['a', '"b c"', "'x'", '1', '(', ')', ',', '=', '<>', ' and ', ' or ', ' not ', ' is null'],
      ...[
        ' like ',
        ' in ',
        ' between ',
        'casei(',
        's_within(',
        't_after(',
        'date(',
        'bbox(',
        '\u0000',
      ],
      ...['interval(', 'POINT(1 2)', 'POLYGON((', '..', 'true', '\\', '"'],
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 20 }).map((list) => list.join('')),
    )
    const attempt = (read: () => unknown) => {
      try {
        read()
      } catch (error) {
        expect(error).toBeInstanceOf(LanguageError)
      }
    }
    fc.assert(fc.property(text, (one) => attempt(() => readText(one))))
    const node = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.record({
          op: fc.constantFrom(
            'and',
            'not',
            '=',
            'in',
            'between',
            'like',
            's_within',
            't_after',
            'casei',
          ),
          args: fc.array(tie('any'), { maxLength: 3 }),
        }),
        fc.record({ property: fc.string() }),
        fc.record({ interval: fc.array(tie('any'), { maxLength: 2 }) }),
      ),
    })).any
    fc.assert(fc.property(node, (one) => attempt(() => readJson(JSON.stringify(one)))))
  })
})
