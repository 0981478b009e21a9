import { SaxesParser } from 'saxes'
import { DecodeFault } from './fault.ts'
import { isCharset, markedEncoding, toBytes, toText } from './text.ts'

/** An element with all that stands in it. */
export type XmlElement = {
  /** As it is written, with its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Text and CDATA that stand in the element itself, joined. */
  readonly text: string
}

type Open = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  readonly texts: string[]
}

/** What no feed needs, and what comparing names and paths would be slow with. */
const longestName = 1000
const mostAttributes = 200

/** The five of XML, and nothing that every object of JavaScript has (`&constructor;`). */
const entities = { __proto__: null, amp: '&', gt: '>', lt: '<', quot: '"', apos: "'" }

/**
 * The root element of an XML document. A document type is passed over: nothing it declares is
 * expanded or fetched.
 * @throws DecodeFault with line and column
 */
export function parseXml(text: string, maxDepth: number): XmlElement {
  const parser = new SaxesParser({ xmlns: false })
  const fail = (reason: string): never => {
    throw new DecodeFault(reason, { line: parser.line, column: parser.column + 1 })
  }
  const roots: XmlElement[] = []
  const path: Open[] = []
  guard(parser, fail)
  parser.on('opentag', ({ name, attributes }) => {
    if (path.length >= maxDepth) fail(`elements are nested deeper than ${String(maxDepth)} levels`)
    if (name.length > longestName) fail(`a name has more than ${String(longestName)} characters`)
    path.push({ name, attributes, children: [], texts: [] })
  })
  const addText = (part: string) => void path.at(-1)?.texts.push(part)
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const closed = path.pop()
    if (closed === undefined) return
    const { texts, ...element } = closed
    const siblings = path.at(-1)?.children ?? roots
    siblings.push({ ...element, text: texts.join('') })
  })
  parser.write(text.trimStart()).close()
  return roots[0] ?? fail('this is no XML: there is no element')
}

function guard(parser: SaxesParser, fail: (reason: string) => never): void {
  Object.assign(parser, { ENTITIES: entities })
  parser.on('error', ({ message }) => {
    fail(`this is no well-formed XML: ${message.replace(/^\d+:\d+: /, '').slice(0, 200)}`)
  })
  let attributes = 0
  parser.on('opentagstart', () => {
    attributes = 0
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > mostAttributes) {
      fail(`an element has more than ${String(mostAttributes)} attributes`)
    }
  })
}

/**
 * The text of an XML document: a byte order mark tells its encoding, then the charset of the step, then
 * the document's own declaration; otherwise it is UTF-8 (RFC 7303 section 3).
 */
export function xmlText(input: unknown, charset: string | undefined): string {
  if (typeof input === 'string') return toText(input)
  const bytes = toBytes(input)
  return toText(bytes, charset ?? unmarkedUtf16(bytes) ?? declaredIn(bytes))
}

/** UTF-16 without a mark: the document begins with `<`. */
function unmarkedUtf16([first, second]: Uint8Array): string | undefined {
  if (first === 0x3c && second === 0) return 'utf-16le'
  return first === 0 && second === 0x3c ? 'utf-16be' : undefined
}

/** Bytes in which a declaration of an encoding must stand. */
const head = 1024

function declaredIn(bytes: Uint8Array): string | undefined {
  if (markedEncoding(bytes) !== undefined) return undefined
  const begin = Buffer.from(bytes.subarray(0, head)).toString('latin1')
  const [, label] =
    /^\s{0,99}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,60})["']/.exec(begin) ?? []
  // What begins with single bytes is not UTF-16, though programs that write UTF-8 may say so.
  if (label === undefined || /^utf-?16/i.test(label)) return undefined
  if (!isCharset(label)) throw new DecodeFault(`the declared encoding ${label} is not known`)
  return label
}

/** Prefixes differ between documents that mean the same. */
export const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)
