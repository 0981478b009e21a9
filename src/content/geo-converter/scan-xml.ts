import { SaxesParser } from 'saxes'
import { decodeFile } from './decode-file.ts'
import { notUnderstood, shown } from './faults.ts'
import type { Place } from './faults.ts'

/** What stands in an XML file. Names are without their prefix: maps are found with and without one. */
export type XmlEvent =
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: Readonly<Record<string, string>>
      readonly at: Place
    }
  | { readonly kind: 'close'; readonly at: Place }
  /** The whole text of an element that was wanted. */
  | { readonly kind: 'text'; readonly text: string; readonly at: Place }

/** A file that comes piece by piece. */
export type XmlFile = {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Of its media type. */
  readonly charset?: string | undefined
}

const deepest = 100
const mostAttributes = 100

/** The five of XML, and nothing that every object of JavaScript has (`&constructor;`). */
const entities = { __proto__: null, amp: '&', gt: '>', lt: '<', quot: '"', apos: "'" }

/**
 * Reads an XML file as it comes, some milliseconds of work at a time. No document type is taken, so
 * there are no entities that could grow or lead elsewhere.
 * @param wanted names of the elements whose text is wanted
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
    const name = withoutPrefix(written)
    if (depth > deepest) throw notUnderstood('Elements are nested too deep.', place())
    if (text !== undefined) throw notUnderstood(`${shown(name)} stands inside of a text.`, place())
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

/** What no file may have: faults of XML, a document type, an element with attributes without end. */
function refuse(parser: SaxesParser, place: () => Place): void {
  Object.assign(parser, { ENTITIES: entities })
  let attributes = 0
  parser.on('error', ({ message }) => {
    const reason = message.replace(/^\d+:\d+: /, '')
    throw notUnderstood(`This is not well-formed XML: ${reason.slice(0, 200)}`, place())
  })
  parser.on('doctype', () => {
    throw notUnderstood('The file has a document type (<!DOCTYPE …>), which is not taken.', place())
  })
  parser.on('opentagstart', () => {
    attributes = 0
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > mostAttributes)
      throw notUnderstood('An element has too many attributes.', place())
  })
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)
