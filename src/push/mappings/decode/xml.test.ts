import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePayload } from './decode-payload.ts'
import { DecodeFault } from './text.ts'
import type { XmlOptions } from './xml.ts'

function decode(text: string | Uint8Array, xml: XmlOptions = {}): unknown {
  const body = typeof text === 'string' ? Buffer.from(text) : text
  return decodePayload(body, [{ xml }], { maxBytes: 50_000_000, maxDepth: 20 })
}

describe('xml', () => {
  it('becomes strings and objects, and lists where a name is repeated', () => {
    expect(
      decode(`<?xml version="1.0"?>
        <data>
          <!-- by machine -->
          <time> 12:00 </time>
          <station id="1"><name>A &amp; B</name><empty/></station>
          <station id="2"><![CDATA[<b>]]></station>
        </data>`),
    ).toEqual({
      data: {
        time: '12:00',
        station: [
          { '@id': '1', name: 'A & B', empty: '' },
          { '@id': '2', '#text': '<b>' },
        ],
      },
    })
  })

  it('becomes lists of one element where requested', () => {
    const text = '<data><list><item><v>1</v></item></list><other><v>2</v></other></data>'
    expect(decode(text, { arrays: ['data.list.item', 'data.other.v'] })).toEqual({
      data: { list: { item: [{ v: '1' }] }, other: { v: ['2'] } },
    })
    expect(decode(text, { arrays: ['data.*', '*.list.*.v'] })).toEqual({
      data: { list: [{ item: { v: ['1'] } }], other: [{ v: '2' }] },
    })
  })

  it('is decoded with or without prefixes and namespaces', () => {
    const text = '<s:e xmlns:s="urn:s" xmlns="urn:d"><s:b s:id="1">x</s:b></s:e>'
    expect(decode(text)).toEqual({ e: { b: { '@id': '1', '#text': 'x' } } })
    expect(decode(text, { prefixes: 'keep', attributes: '' })).toEqual({
      's:e': { 'xmlns:s': 'urn:s', xmlns: 'urn:d', 's:b': { 's:id': '1', '#text': 'x' } },
    })
  })

  it('keeps whitespace around text if requested', () => {
    expect(decode('<a> x\n</a>', { trim: false })).toEqual({ a: ' x\n' })
  })

  it.each([
    [
      'declared',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü°C</a>', 'latin1'),
      {},
    ],
    ['undeclared', Buffer.from('<a>ü°C</a>', 'latin1'), { charset: 'ISO-8859-1' }],
    ['UTF-8', Buffer.from('\uFEFF<?xml version="1.0" encoding="ISO-8859-1"?><a>ü°C</a>'), {}],
    ['UTF-16', Buffer.from('\uFEFF<a>ü°C</a>', 'utf16le'), {}],
    ['UTF-16 without a mark', Buffer.from('<a>ü°C</a>', 'utf16le'), {}],
    [
      'big-endian',
      Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>ü°C</a>', 'utf16le').swap16(),
      {},
    ],
    ['wrongly declared', Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>ü°C</a>'), {}],
    [
      'declared otherwise',
      Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>ü°C</a>', 'latin1'),
      { charset: 'windows-1252' },
    ],
  ])('is decoded in its encoding: %s', (_name, body, options) => {
    expect(decode(body, options)).toEqual({ a: 'ü°C' })
  })

  it('reads the euro sign of ISO-8859-15 and windows-1252', () => {
    const body = (encoding: string, euro: number) =>
      Buffer.concat([
        Buffer.from(`<?xml version='1.0' encoding='${encoding}'?><a>`),
        Buffer.of(euro),
        Buffer.from('</a>'),
      ])
    expect(decode(body('ISO-8859-15', 0xa4))).toEqual({ a: '€' })
    expect(decode(body('windows-1252', 0x80))).toEqual({ a: '€' })
  })

  it.each([
    ['<a><b></a>', /line 1, column \d+: this is not well-formed XML: /],
    ['', /this is not (well-formed|valid) XML/],
    ['{"a":1}', /this is not well-formed XML/],
    ['<a/><b/>', /this is not well-formed XML/],
    ['<a>&constructor;</a>', /undefined entity/],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', /undefined entity/],
    ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hosts">]><a>&x;</a>', /undefined entity/],
    ['<a>'.repeat(21), /nested deeper than 20 levels/],
    [
      `<a ${Array.from({ length: 201 }, (_, i) => `a${String(i)}=""`).join(' ')}/>`,
      /200 attributes/,
    ],
    [`<${'a'.repeat(1001)}/>`, /more than 1000 characters/],
    ['<?xml version="1.0" encoding="klingon"?><a/>', /encoding klingon is not known/],
    [Buffer.concat([Buffer.from('<a>'), Buffer.of(0xfc), Buffer.from('</a>')]), /not utf-8 text/],
  ])('is refused: %s', (text, message) => {
    expect(() => decode(text)).toThrow(message)
    expect(() => decode(text)).toThrow(DecodeFault)
  })

  it('ignores a document type', () => {
    expect(decode('<!DOCTYPE a SYSTEM "a.dtd"><a>1</a>')).toEqual({ a: '1' })
  })

  it('keeps elements named like properties of JavaScript objects', () => {
    expect(JSON.stringify(decode('<a><__proto__>1</__proto__><constructor/></a>'))).toBe(
      '{"a":{"__proto__":"1","constructor":""}}',
    )
  })

  it('is decoded to the values that were written', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((written) => written.replace(/[^\P{C}]/gu, '').trim())
    const name = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,5}$/)
    const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.dictionary(
          name,
          fc.oneof(tie('value'), fc.array(text, { minLength: 2, maxLength: 3 })),
          {
            minKeys: 1,
            maxKeys: 3,
          },
        ),
      ),
    }))
    fc.assert(
      fc.property(values, (value) => {
        expect(decode(print('root', value))).toEqual({ root: value })
      }),
    )
  })

  it.each([
    ['elements', `<a>${'<b/>'.repeat(300_000)}</a>`],
    ['names', `<a>${Array.from({ length: 60_000 }, (_, i) => `<b${String(i)}/>`).join('')}</a>`],
    ['texts', `<a>${'x&amp;'.repeat(300_000)}</a>`],
    ['cdata', `<a>${'<![CDATA[]]]]>'.repeat(100_000)}</a>`],
    ['comments', `<a>${'<!-- - -->'.repeat(100_000)}</a>`],
    ['an open tag', `<a>${'<b '.repeat(300_000)}`],
    ['an open document type', `<!DOCTYPE a [${'<'.repeat(500_000)}`],
    ['long names', `<${'a'.repeat(900)}>`.repeat(19)],
  ])('is decoded in linear time: %s', (_name, text) => {
    const started = performance.now()
    try {
      decode(text, { arrays: ['*.*.*', 'a.b', 'a.*.b'] })
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeFault)
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

function print(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => print(name, one)).join('')
  if (typeof value !== 'object' || value === null) {
    const escaped = String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return `<${name}>${escaped.replaceAll('>', '&gt;')}</${name}>`
  }
  const members = Object.entries(value).map(([key, member]) => print(key, member))
  return `<${name}>${members.join('\n')}</${name}>`
}
