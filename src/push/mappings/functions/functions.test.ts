import { describe, expect, it } from 'vitest'
import { centroid, clamp, inBox, point, toNumber } from '../evaluate/compile-mapping.ts'
import { hashOf, idMaker, lookupAtIn, lookupIn, toTables, uuid5 } from './values.ts'

describe('$num', () => {
  it.each([
    ['12,5', 12.5],
    ['12.5', 12.5],
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1.234.567', 1234567],
    ['1,234,567', 1234567],
    ["1'234.5", 1234.5],
    ['1 234,5', 1234.5],
    ['-3', -3],
    ['.5', 0.5],
    ['1e3', 1000],
    [' 7 ', 7],
    [true, 1],
    [4.25, 4.25],
  ])('reads %j as %d', (value, expected) => {
    expect(toNumber(value)).toBe(expected)
  })

  it('uses the requested decimal mark', () => {
    expect(toNumber('1,234', '.')).toBe(1234)
    expect(toNumber('1.234', ',')).toBe(1234)
  })

  it.each([
    ['12.5', ','],
    ['1.23', ','],
    ['1,2345', '.'],
    ['12,34.5', '.'],
  ])('rejects %j with the decimal mark %j rather than misreading it', (text, decimal) => {
    expect(() => toNumber(text, decimal)).toThrow('is not a valid number')
  })

  it.each([undefined, null, '', '  '])('returns nothing for %j', (value) => {
    expect(toNumber(value)).toBeUndefined()
  })

  it.each(['12.3.4', '2026.11.20', '10.0.0.1', '1.5.', '1,2.3', '1,23,4', '1.234,567,8'])(
    'rejects %j, whose separators do not group thousands',
    (value) => {
      expect(() => toNumber(value)).toThrow('is not a valid number')
    },
  )

  it.each(['abc', '12 km', '1-2', '--1', 'Infinity', '0x10', {}, []])('rejects %j', (value) => {
    expect(() => toNumber(value)).toThrow()
  })
})

describe('Functions of mappings', () => {
  it('$clamp limits a number to two bounds', () => {
    expect([clamp(5, 0, 3), clamp('-1', 0, 3), clamp(2, undefined, 3), clamp(null, 0, 1)]).toEqual([
      ...[3, 0, 2, undefined],
    ])
  })

  it('$uuid5 follows RFC 9562', () => {
    expect(uuid5('dns', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
    expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'python.org')).toBe(
      '886313e1-3b8a-5372-9b90-0c9aee199e5d',
    )
    expect(() => uuid5('nowhere', 'x')).toThrow('is not a valid UUID')
  })

  it('$id follows its rule, and returns nothing if a part is missing or blank', () => {
    const id = idMaker({
      station: { prefix: 'acme:' },
      event: { uuid5: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', prefix: 'e-' },
    })
    expect(id('station', 1, 'b')).toBe('acme:1:b')
    expect(id('event', 'python.org')).toBe('e-886313e1-3b8a-5372-9b90-0c9aee199e5d')
    expect([id('station', undefined), id('station'), id('station', 'a', null)]).toEqual([
      ...[undefined, undefined, undefined],
    ])
    expect([id('station', ''), id('event', 'a', ' ')]).toEqual([undefined, undefined])
    expect(() => id('staton', 1)).toThrow('did you mean station?')
    expect(() => id('constructor', 1)).toThrow('no rule')
  })

  it('$hash returns a SHA-256 hash or the start of it', () => {
    expect(hashOf('abc', undefined)).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    expect(hashOf('abc', 8)).toBe('ba7816bf')
    expect(hashOf(undefined, 8)).toBeUndefined()
  })

  it('$point requires longitude first, and returns nothing if either is missing', () => {
    expect(point('11,35', 46.5)).toEqual([11.35, 46.5])
    expect([point(null, 46), point(11, '')]).toEqual([undefined, undefined])
    expect(() => point(46.5, 111)).toThrow('longitude, then latitude')
  })

  it('$centroid and $inBox accept positions', () => {
    expect(centroid([[0, 0], [2, 4], 'x'])).toEqual([1, 2])
    expect(centroid([1, 2])).toBeUndefined()
    expect([
      inBox([1, 1], [0, 0, 1, 1]),
      inBox([2, 1], [0, 0, 1, 1]),
      inBox(undefined, []),
    ]).toEqual([...[true, false, undefined]])
    expect(() => inBox([1, 1], [0])).toThrow('west')
  })
})

describe('$lookup', () => {
  const row = (value: unknown, from: number | null = null, to: number | null = null) => ({
    value,
    from,
    to,
  })
  const tables = toTables({
    states: { rows: { 0: [row('closed')], constructor: [row('odd')] }, default: 'unknown' },
    sensors: { rows: { s1: [row('a', null, 100), row('b', 100, null)] } },
  })
  const lookup = lookupIn(tables)

  it('finds values by text or number, or returns the default', () => {
    expect([lookup('states', 0, undefined), lookup('states', '9', undefined)]).toEqual([
      'closed',
      'unknown',
    ])
    expect([lookup('states', 9, 'mine'), lookup('sensors', 'x', undefined)]).toEqual([
      'mine',
      undefined,
    ])
    expect([
      lookup('states', 'constructor', undefined),
      lookup('states', 'toString', undefined),
    ]).toEqual([...['odd', 'unknown']])
    expect(() => lookup('state', 1, undefined)).toThrow('did you mean states?')
  })

  it('works as in JSONata for objects and lists of objects', () => {
    expect(lookup({ a: 1 }, 'a', undefined)).toBe(1)
    expect(lookup([{ a: 1 }, { b: 2 }, { a: [3] }], 'a', undefined)).toEqual([1, 3])
    expect(lookup({}, 'constructor', undefined)).toBeUndefined()
  })

  it('finds the row that is valid at a given time', () => {
    const at = lookupAtIn(tables)
    expect([at('sensors', 's1', 99), at('sensors', 's1', '1970-01-01T00:00:00.100Z')]).toEqual([
      'a',
      'b',
    ])
    expect([at('sensors', 's2', 1), at('sensors', 's1', undefined)]).toEqual([undefined, undefined])
    expect(() => at('sensors', 's1', 'then')).toThrow('a time')
  })
})
