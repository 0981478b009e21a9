import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readXml } from '../../test/contract/datex/xml-tree.ts'
import { element, toXml, toXmlCharacters } from './xml.ts'

describe('toXml', () => {
  it('prints elements, attributes and text in the order given', () => {
    const root = element('a', { x: '1' }, [element('b', {}, 'two'), element('c')])
    expect(toXml(root)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<a x="1"><b>two</b><c></c></a>\n',
    )
  })

  it('escapes markup characters', () => {
    const xml = toXml(element('a', { x: '"<&\t\n' }, '<&> ]]> \r\n'))
    expect(xml).toContain('<a x="&#34;&lt;&amp;&#9;&#10;">&lt;&amp;&gt; ]]&gt; &#13;\n</a>')
  })

  it('replaces characters that XML forbids, including lone surrogates, and keeps the rest', () => {
    expect(toXmlCharacters('a\u0000b\u000Bc\uD800d\uFFFEe\uFFFF')).toBe(
      'a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFD',
    )
    expect(toXmlCharacters('tab\t line\n 😀 \u0085 ü')).toBe('tab\t line\n 😀 \u0085 ü')
  })

  it('prints children from a generator like those from a list', () => {
    const children = [element('b', {}, '1'), element('b', {}, '2')]
    function* generated() {
      yield* children
    }
    expect(toXml(element('a', {}, generated()))).toBe(toXml(element('a', {}, children)))
  })

  it('keeps any text when it is parsed again, except characters that XML forbids', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(anyText, anyText, (attribute, content) => {
        const read = readXml(toXml(element('a', { x: attribute }, content)))
        expect(read.attributes['x']).toBe(toXmlCharacters(attribute))
        expect(read.text).toBe(toXmlCharacters(content))
      }),
    )
  })
})
