import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accommodation } from './entities/accommodation.ts'
import { toNaming } from './naming.ts'
import { parseFields, removeNullValues, represent, toRepresentation } from './representation.ts'
import { languages, reduceLanguage } from './reduce-language.ts'

const asIs = { fields: [], selectedBy: 'hub', removeNullValues: false } as const

describe('represent', () => {
  it('returns the stored text, and adds the URL of the record', () => {
    const stored = '{"Id": "A",  "n": 1.50}'
    expect(represent(stored, 'http://h/v1/X/A', asIs)).toBe(
      '{"Id": "A",  "n": 1.50, "Self": "http://h/v1/X/A"}',
    )
  })

  it('reduces the language before it selects fields, and removes nulls last', () => {
    const stored = '{"Id": "A", "Detail": {"de": {"Title": "T"}, "en": {"Title": "U"}}}'
    const fields = parseFields(['Detail.de.Title', 'Detail.en.Title'])
    const wanted = { ...asIs, language: 'en', fields }
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

  it('returns the selection of the database, without a URL that was not requested', () => {
    const fields = parseFields(['Shortname'])
    const wanted = { ...asIs, fields, selectedBy: 'database' } as const
    const selected = '{"Id" : "A", "Shortname" : null}'
    expect(represent(selected, 's', wanted)).toBe(selected)
    expect(represent(selected, 's', { ...wanted, removeNullValues: true })).toBe('{"Id":"A"}')
  })
})

describe('toRepresentation', () => {
  it('accepts names with either prefix, and keeps their spelling in the response', () => {
    const entity = accommodation(toNaming('Hub'))
    const query = { fields: ['OdhActive', 'HubActive', 'Tags.ODHTags'], removenullvalues: false }
    const { fields } = toRepresentation(query, { entity, reduced: false })
    expect(fields.map(({ text, steps }) => [text, steps])).toEqual([
      ['OdhActive', [{ kind: 'member', name: 'HubActive' }]],
      ['HubActive', [{ kind: 'member', name: 'HubActive' }]],
      [
        'Tags.ODHTags',
        [
          { kind: 'member', name: 'Tags' },
          { kind: 'member', name: 'ODHTags' },
        ],
      ],
    ])
  })
})

/** Reference implementation, which works on a parsed value. */
function reduceParsed(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((item) => reduceParsed(item, language))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name === language || !languages.some((code) => code === name))
      .map(([name, member]) => [name, reduceParsed(member, language)]),
  )
}

/** Prints JSON like PostgreSQL, with a space after each comma and colon. */
function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${printed(member)}`,
  )
  return `{${members.join(', ')}}`
}

const nasty = fc.oneof(
  fc.constantFrom(...languages, '"de": 1', '\\', '\\"', '","en":{', '}', ']', 'Title', ''),
  fc.string({ maxLength: 5 }),
)
/**
 * Field names without backslashes. Once V8 has seen a name with a backslash, its `JSON.parse`
 * confuses a name that has a quote in the same place with it, and reads `{"\\"": 1}` as `{"\\\\":
 * 1}` (Node.js 24.21).
 */
const name = nasty.filter((text) => !text.includes('\\'))
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    nasty,
    fc.constantFrom(null, true, 0, -1.5e300),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
  ),
}))

describe('reduceLanguage', () => {
  it('keeps one language at every depth, and keeps the enclosing objects', () => {
    const value = { a: { de: 1, it: 2 }, list: [{ Title: { en: 'x' } }], de: 'top' }
    expect(reduceLanguage(printed(value), 'de')).toBe(
      '{"a": {"de": 1}, "list": [{"Title": {}}], "de": "top"}',
    )
  })

  it('keeps names with backslashes unchanged', () => {
    const text = String.raw`{"a\\": 1, "it": 2, "\\\"de": {"en": 3, "x\\y": 4}}`
    expect(reduceLanguage(text, 'de')).toBe(String.raw`{"a\\": 1, "\\\"de": {"x\\y": 4}}`)
  })

  it('has the same result as parsing, reducing and printing, for any text', () => {
    const value = fc.dictionary(name, tree, { maxKeys: 6 })
    fc.assert(
      fc.property(value, fc.constantFrom('de', 'en', 'es'), (record, language) => {
        const plain: unknown = JSON.parse(JSON.stringify(record))
        const expected = reduceParsed(plain, language)
        expect(JSON.parse(reduceLanguage(printed(plain), language))).toEqual(expected)
        expect(JSON.parse(reduceLanguage(JSON.stringify(plain), language))).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('removeNullValues', () => {
  it('removes null and empty values from the inside out, but not within arrays', () => {
    const value = { a: null, b: 42, c: { d: null, e: { f: [] } }, g: '', h: [null, {}], i: false }
    expect(removeNullValues(value)).toEqual({ b: 42, h: [null, {}], i: false })
  })

  it('also removes objects that become empty, unlike the public system', () => {
    expect(removeNullValues({ field1: null, field2: 42, field3: { field4: null } })).toEqual({
      field2: 42,
    })
  })
})
