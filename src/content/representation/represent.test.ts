import { describe, expect, it } from 'vitest'
import { parseFields } from '../fields/parse-fields.ts'
import { reduceLanguage } from './reduce-language.ts'
import { removeNullValues } from './remove-null-values.ts'
import { represent } from './represent.ts'

const asIs = { fields: [], removeNullValues: false }

describe('represent', () => {
  it('passes the stored text on and adds the address of the record', () => {
    const stored = '{"Id": "A",  "n": 1.50}'
    expect(represent(stored, 'http://h/v1/X/A', asIs)).toBe(
      '{"Id": "A",  "n": 1.50, "Self": "http://h/v1/X/A"}',
    )
  })

  it('reduces the language before it selects fields, and removes nulls last', () => {
    const stored = '{"Id": "A", "Detail": {"de": {"Title": "T"}, "en": {"Title": "U"}}}'
    const fields = parseFields(['Detail.de.Title', 'Detail.en.Title'])
    const wanted = { language: 'en', fields, removeNullValues: false }
    expect(JSON.parse(represent(stored, 's', wanted))).toEqual({
      Id: 'A',
      'Detail.de.Title': null,
      'Detail.en.Title': 'U',
    })
    expect(JSON.parse(represent(stored, 's', { ...wanted, removeNullValues: true }))).toEqual({
      Id: 'A',
      'Detail.en.Title': 'U',
    })
  })
})

describe('reduceLanguage', () => {
  it('keeps one language at every depth and leaves the wrappers in place', () => {
    const value = { a: { de: 1, it: 2 }, list: [{ Title: { en: 'x' } }], de: 'top' }
    expect(reduceLanguage(value, 'de')).toEqual({ a: { de: 1 }, list: [{ Title: {} }], de: 'top' })
  })
})

describe('removeNullValues', () => {
  it('removes what says nothing from the inside out', () => {
    const value = { a: null, b: 42, c: { d: null, e: { f: [] } }, g: '', h: [null, {}], i: false }
    expect(removeNullValues(value)).toEqual({ b: 42, h: [null, {}], i: false })
  })
})
