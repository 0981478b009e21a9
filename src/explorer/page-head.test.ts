import fc from 'fast-check'
import { XmlDocument, XmlElement } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { languageIn, withHead } from './page-head.ts'
import type { Subject } from './page-head.ts'

const shell = `<html lang="en">
  <head>
    <title>Hub</title>
    <script type="module" src="/assets/index.js"></script>
  </head>
  <body></body>
</html>`

const site = { title: 'Hub', languages: ['de', 'it', 'en'] }

const subject: Subject = {
  address: 'http://hub.test/records/Event/1',
  title: 'Market',
  description: '<p>Every <b>Friday</b> &amp; Saturday.</p>',
  image: 'http://hub.test/a.jpg',
  forms: [{ mediaType: 'application/json', address: 'http://hub.test/v1/Event/1' }],
  linked: { '@type': 'Event', name: 'Market' },
}

/** Parses a page as XML, which our heads are, too. */
function read(html: string) {
  using document = XmlDocument.fromString(html)
  const textOf = (path: string) => document.find(path).map((found) => found.content)
  return {
    titles: textOf('//title'),
    description: textOf('//meta[@name="description"]/@content'),
    data: textOf('//script[@type="application/ld+json"]'),
    scripts: document.find('//script').length,
    elements: document.find('//*').map((found) => (found instanceof XmlElement ? found.name : '')),
    graph: ['title', 'site_name', 'url', 'description', 'image', 'type'].flatMap((name) =>
      textOf(`//meta[@property="og:${name}"]/@content`),
    ),
    canonical: textOf('//link[@rel="canonical"]/@href'),
    languages: textOf('//link[@rel="alternate"]/@hreflang'),
    forms: textOf('//link[@rel="alternate"]/@type'),
    language: textOf('/html/@lang'),
  }
}

const pageOf = (changed: Partial<Subject>, language?: string) =>
  read(withHead(shell, { site, subject: { ...subject, ...changed }, language }))

describe('The head of a page', () => {
  it('describes the page', () => {
    const { data, ...head } = pageOf({})
    expect(head).toMatchObject({
      titles: ['Market · Hub'],
      description: ['Every Friday & Saturday.'],
      scripts: 2,
      canonical: [subject.address],
      languages: ['de', 'it', 'en', 'x-default'],
      forms: ['application/json'],
      language: ['en'],
      graph: [
        ...['Market', 'Hub', subject.address, 'Every Friday & Saturday.', subject.image, 'website'],
      ],
    })
    expect(data.map((text) => JSON.parse(text))).toEqual([subject.linked])
  })

  it('uses the language in the URL', () => {
    expect(pageOf({}, 'it')).toMatchObject({
      canonical: [`${subject.address}?lang=it`],
      language: ['it'],
    })
    expect(
      ['?lang=de', '?a=1&lang=IT-ch', '?lang=fr', '', '?lang'].map((query) =>
        languageIn(`/${query}`, site),
      ),
    ).toEqual(['de', 'it', undefined, undefined, undefined])
  })

  it('leaves out missing fields', () => {
    const head = pageOf({ description: ' ', image: undefined, linked: undefined, forms: [] })
    expect(head).toMatchObject({ description: [], data: [], forms: [], scripts: 1 })
    expect(head.graph).toEqual(['Market', 'Hub', subject.address, 'website'])
  })

  it('shortens long descriptions between words, and never within a character', () => {
    const [words = ''] = pageOf({ description: 'word '.repeat(1000) }).description
    expect(words).toMatch(/^(word )+word…$/)
    expect(words.length).toBeLessThanOrEqual(301)
    const [signs = ''] = pageOf({ description: `x${'😀'.repeat(1000)}` }).description
    expect(signs).toMatch(/^x(😀)+…$/u)
    expect(pageOf({ title: '😀'.repeat(1000) }).titles[0]).toMatch(/^(😀)+ · Hub$/u)
  })

  it('escapes every text, however hostile', () => {
    const hostile = fc.constantFrom(
      ...[
        '</script>',
        '<script>alert(1)</script>',
        '<!--',
        '-->',
        ']]>',
        '"',
        "'",
        '&',
        '&lt;',
        '\\',
      ],
      ...['</title>', '</head>', '<title>', '\n', '\r', '\t', '\u2028', '\u2029', '$&', '$1', '`'],
      ...['\u0000', '\u001B', '\uFFFE', '" onload="alert(1)', 'javascript:alert(1)', '{{x}}'],
    )
    const text = fc
      .array(fc.oneof(hostile, fc.string({ unit: 'binary' })))
      .map((parts) => parts.join(''))
    const plain = pageOf({ description: 'x' }).elements
    fc.assert(
      fc.property(text, text, text, (title, name, image) => {
        const linked = { [name]: title, list: [image] }
        const address = `http://hub.test/${image}`
        const html = withHead(shell, {
          site: { ...site, title: `x${name}` },
          subject: {
            ...subject,
            address,
            title: `x${title}`,
            image: `x${image}`,
            description: `x${name}`,
            linked,
          },
          language: undefined,
        })
        const head = read(html)
        expect(head.elements).toEqual(plain)
        expect(head.scripts).toBe(2)
        expect(JSON.parse(head.data.join())).toEqual(linked)
        // The data must not end its script or a line in it, and the page must have one end of its
        // head.
        expect(head.data.join()).not.toMatch(/[<>&\u2028\u2029]/)
        expect(html.split('</head>')).toHaveLength(2)
        const printable = (raw: string) => raw.replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')
        expect(head.titles).toEqual([
          printable(`${`x${title}`.slice(0, 300).toWellFormed()} · x${name}`),
        ])
        expect(head.canonical).toEqual([printable(address)])
      }),
      { numRuns: 500 },
    )
  })
})
