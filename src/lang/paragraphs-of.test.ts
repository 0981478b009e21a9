import { describe, expect, it } from 'vitest'
import { paragraphsOf } from './paragraphs-of.ts'

describe('The paragraphs of a text', () => {
  it('are those of HTML, without markup', () => {
    expect(
      paragraphsOf('<p>One&nbsp;&amp; <b>two</b></p><p>Three<br/>four &#252; &#x2014;</p>'),
    ).toEqual(['One & two', 'Three', 'four ü —'])
    expect(paragraphsOf('&constructor; &toString; &amp;')).toEqual(['&constructor; &toString; &'])
    expect(paragraphsOf('&#56320; &#xD800; &#xdfff; &#xD7FF; &#x110000; &#xE000;')).toEqual([
      '&#56320; &#xD800; &#xdfff; \uD7FF &#x110000; \uE000',
    ])
    expect(paragraphsOf('<ul><li>a</li><li>b</li></ul>')).toEqual(['• a', '• b'])
  })

  it('are the lines of plain text, in which nothing is markup', () => {
    expect(paragraphsOf('a < b\n\n c & d ')).toEqual(['a < b', 'c & d'])
  })

  it('never contain executable markup', () => {
    expect(paragraphsOf('<script>alert(1)</script>x<img src=y onerror=z>')).toEqual(['x'])
  })
})
