import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { notTaken, notUnderstood, shown } from './faults.ts'
import type { Place } from './faults.ts'

/** Event of an XML file. Names have no prefix, because map files are found with and without one. */
export type XmlEvent =
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: Readonly<Record<string, string>>
      readonly at: Place
    }
  | { readonly kind: 'close'; readonly at: Place }
  /** Complete text of a requested element. */
  | { readonly kind: 'text'; readonly text: string; readonly at: Place }

/** File that arrives in pieces. */
export type XmlFile = {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Charset of its media type. */
  readonly charset?: string | undefined
}

const maxDepth = 100
const maxAttributes = 100

/** The five entities of XML, and nothing that every JavaScript object has (`&constructor;`). */
const entities = { __proto__: null, amp: '&', gt: '>', lt: '<', quot: '"', apos: "'" }

/**
 * Parses an XML file while it arrives, a few milliseconds of work at a time. Document types are
 * refused, so there are no entities that could expand or lead elsewhere.
 * @param wanted names of the elements whose text is requested
 * @throws AppError HUB-GEO-001 with line and column
 */
export async function* scanXml(
  file: XmlFile,
  wanted: ReadonlySet<string>,
): AsyncGenerator<readonly XmlEvent[]> {
  const events: XmlEvent[] = []
  const parser = createParser(events, wanted)
  for await (const text of decodeFile(file.chunks, file.charset)) {
    parser.write(text)
    yield events.splice(0)
  }
  parser.close()
  yield events
}

function createParser(events: XmlEvent[], wanted: ReadonlySet<string>) {
  const parser = new SaxesParser({ xmlns: false })
  const place = (): Place => ({ line: parser.line, column: parser.column + 1 })
  refuse(parser, place)
  let depth = 0
  let text: { readonly parts: string[]; readonly at: Place } | undefined
  const addText = (part: string) => text?.parts.push(part)
  parser.on('opentag', ({ name: written, attributes }) => {
    depth += 1
    const name = written.slice(written.indexOf(':') + 1)
    if (depth > maxDepth) throw notUnderstood('Elements are nested too deep.', place())
    if (text !== undefined) throw notUnderstood(`${shown(name)} is inside a text.`, place())
    events.push({ kind: 'open', name, attributes, at: place() })
    if (wanted.has(name)) text = { parts: [], at: place() }
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    depth -= 1
    if (text !== undefined) events.push({ kind: 'text', text: text.parts.join(''), at: text.at })
    text = undefined
    events.push({ kind: 'close', at: place() })
  })
  return parser
}

/** Refuses malformed XML, document types, and elements with too many attributes. */
function refuse(parser: SaxesParser, place: () => Place): void {
  Object.assign(parser, { ENTITIES: entities })
  let attributes = 0
  parser.on('error', ({ message }) => {
    const reason = message.replace(/^\d+:\d+: /, '')
    throw notUnderstood(`This is not well-formed XML: ${reason.slice(0, 200)}`, place())
  })
  parser.on('doctype', () => {
    throw notUnderstood(
      'The file has a document type (<!DOCTYPE …>), which is not accepted.',
      place(),
    )
  })
  parser.on('opentagstart', () => {
    attributes = 0
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > maxAttributes)
      throw notUnderstood('An element has too many attributes.', place())
  })
}

/** Number of bytes at the start of a file within which its encoding must be declared. */
const head = 1024

/** Number of bytes that are decoded and parsed before other requests get their turn. */
const maxAtOnce = 8192

/**
 * Decodes an XML file, in pieces. Its encoding is that of the byte order mark, otherwise of the
 * `charset` of its media type, otherwise of its declaration, otherwise UTF-8 (RFC 7303 section 3).
 * @throws AppError HUB-BDY-003 for a compressed file, HUB-GEO-001 for bytes that are not text
 */
async function* decodeFile(
  chunks: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let begin: Uint8Array = new Uint8Array()
  for await (const bytes of inSlices(chunks)) {
    if (decoder !== undefined) {
      yield decode(decoder, bytes)
      continue
    }
    begin = Buffer.concat([begin, bytes])
    if (begin.length < head) continue
    decoder = createDecoder(begin, charset)
    yield decode(decoder, begin)
  }
  if (begin.length === 0) throw notUnderstood('The file is empty.')
  decoder ??= createDecoder(begin, charset)
  // A file that is shorter than `head` has not been decoded yet.
  if (begin.length < head) yield decode(decoder, begin)
  yield decode(decoder)
}

async function* inSlices(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += maxAtOnce) {
      yield chunk.subarray(from, from + maxAtOnce)
    }
  }
}

/** Decodes bytes. Without bytes, decodes what is left at the end of the file. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw notUnderstood(
      `The file has bytes that are not ${decoder.encoding}.`,
      undefined,
      'Save it as UTF-8, or declare its encoding: <?xml version="1.0" encoding="ISO-8859-1"?>.',
    )
  }
}

function createDecoder(begin: Uint8Array, charset: string | undefined): TextDecoder {
  assertNotPacked(begin)
  const label = encodingOf(begin, charset)
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    throw notUnderstood(
      `There is no encoding ${shown(label)}.`,
      undefined,
      'Known encodings are UTF-8, UTF-16, ISO-8859-1 and the others of the web.',
    )
  }
}

function assertNotPacked(begin: Uint8Array): void {
  if (startsWith(begin, 0x50, 0x4b)) {
    throw notTaken('This is a ZIP archive, such as KMZ; send the KML or GPX inside it.')
  }
  if (startsWith(begin, 0x1f, 0x8b)) {
    throw notTaken('This file is compressed with gzip; send the KML or GPX inside it.')
  }
}

const startsWith = (bytes: Uint8Array, ...wanted: readonly number[]) =>
  wanted.every((byte, index) => bytes[index] === byte)

function encodingOf(begin: Uint8Array, charset: string | undefined): string {
  if (startsWith(begin, 0xff, 0xfe) || startsWith(begin, 0x3c, 0)) return 'utf-16le'
  if (startsWith(begin, 0xfe, 0xff) || startsWith(begin, 0, 0x3c)) return 'utf-16be'
  if (startsWith(begin, 0xef, 0xbb, 0xbf)) return 'utf-8'
  return charset === undefined || isUtf16(charset) ? declaredIn(begin) : charset
}

/**
 * Reports whether a label is UTF-16. A file that starts with single bytes is not UTF-16, although
 * programs that write UTF-8 may declare it.
 */
const isUtf16 = (label: string) => /^utf-?16/i.test(label)

function declaredIn(begin: Uint8Array): string {
  const text = Buffer.from(begin.subarray(0, head)).toString('latin1')
  const declared =
    /^\s{0,99}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,60})["']/.exec(text)?.[1]
  return declared === undefined || isUtf16(declared) ? 'utf-8' : declared
}
