import { describe, expect, it } from 'vitest'
import { ofStations, toParameters } from './conditions.ts'
import type { Dataset } from './dataset.ts'

const dataset = (service: Dataset['service']): Dataset => ({
  ...{ id: `${service}/X`, service, type: 'X', list: '/x', record: undefined, titleField: 'Id' },
  facts: { licences: [], updated: null, access: 'open' },
})

describe('Conditions', () => {
  it.each([
    ['a text', { Type: "L'Aquila" }, "eq(Type,'L''Aquila')", String.raw`Type.eq."L\'Aquila"`],
    ['a number', { a: 5 }, 'eq(a,5)', 'a.eq.5'],
    ['a flag', { a: true }, 'eq(a,true)', 'a.eq.true'],
    ['a missing value', { a: null }, 'isnull(a)', 'a.eq.null'],
    ['a part of a text', { a: '~ca(s' }, "like(a,'ca(s')", String.raw`a.ire."ca\\(s"`],
    ['two', { a: 1, b: 2 }, 'and(eq(a,1),eq(b,2))', 'and(a.eq.1,b.eq.2)'],
    ['none', {}, undefined, undefined],
  ])('are written from pairs in both languages: %s', (_, match, rawfilter, where) => {
    expect(toParameters(dataset('content'), { match })).toMatchObject({ rawfilter })
    expect(toParameters(dataset('timeseries'), { match })).toMatchObject({ where })
  })

  it('match any element of a list', () => {
    const match = { 'Tags.[*].Id': 'x' }
    expect(toParameters(dataset('content'), { match })).toMatchObject({
      rawfilter: "in(Tags.[*].Id,'x')",
    })
  })

  it('include the expressions of parameters, and refuse parameters that the tools set', () => {
    const parameters = { rawfilter: 'f', searchfilter: 's', where: 'w' }
    expect(toParameters(dataset('content'), { match: { a: 1 }, parameters })).toMatchObject({
      ...{ rawfilter: 'and(eq(a,1),f)', searchfilter: 's' },
    })
    expect(toParameters(dataset('timeseries'), { parameters: { where: 'w' } })).toMatchObject({
      where: 'w',
    })
    const csv = { parameters: { Format: 'csv' } }
    expect(() => toParameters(dataset('content'), csv)).toThrow('Format is set by the tool')
  })

  it('combine text, pairs, an expression and parameters', () => {
    const given = { search: 'a', match: { b: 1 }, filter: 'f', parameters: { tagfilter: 't' } }
    expect(toParameters(dataset('content'), given)).toEqual({
      ...{ searchfilter: 'a', rawfilter: 'and(eq(b,1),f)', tagfilter: 't' },
    })
    expect(toParameters(dataset('timeseries'), given)).toEqual({
      ...{ where: 'and(sname.ire."a",b.eq.1,f)', tagfilter: 't' },
    })
  })

  it('refuse a path that would end an expression', () => {
    expect(() => toParameters(dataset('content'), { match: { 'a),or(b': 1 } })).toThrow(
      'not a path',
    )
  })

  it('select stations by their codes', () => {
    expect(ofStations([])).toBeUndefined()
    expect(ofStations(['a"b'])).toBe(String.raw`scode.eq."a\"b"`)
    expect(ofStations(['a', 'b'])).toBe('scode.in.("a","b")')
  })
})
