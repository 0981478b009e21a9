/** A minimal writer of XML 1.0 documents: what it takes cannot come out ill-formed. */

/**
 * An element holds either text or elements; DATEX II has no mixed content. Children may come from a
 * generator: they are made while the document is printed, so that a long one is never in memory
 * as a tree.
 */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: string | Iterable<XmlElement | PrintedElement>
  /** Where the version of DATEX II has a JSON encoding: how the element stands in it. */
  readonly json?: JsonPlace | undefined
}

/** How a value stands in the JSON encoding of DATEX II. */
export type Form = 'text' | 'number' | 'boolean' | 'enumeration' | 'texts' | 'structure'

type JsonPlace = {
  readonly key: string
  /** Whether there may be several, which makes a list of one, too. */
  readonly repeated: boolean
  readonly form: Form
  /** The concrete type, where the declared one has descendants. */
  readonly named: string | undefined
}

/**
 * The text of an element, to be kept and put into a document again, also in place of a value that is
 * written; only `printElement` makes one.
 */
export type PrintedElement = {
  readonly printed: string
  readonly json?: JsonPlace & { readonly text: string }
}

const printedElements = new WeakSet<object>()

/** Not something that came from outside and looks like one. */
export function isPrinted(value: unknown): value is PrintedElement {
  return typeof value === 'object' && value !== null && printedElements.has(value)
}

const none = {}

/** Names come from our own tables; text and attribute values may be anything. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = none,
  children: XmlElement['children'] = '',
): XmlElement {
  return { name, attributes, children }
}

/** The document as text, with its XML declaration. Encode it as UTF-8. */
export function toXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toText(root)}\n`
}

/** The same, with a step after each child, for documents of thousands. */
export function* xmlSteps(root: XmlElement): Generator<undefined, string> {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n']
  yield* printSteps(root, parts)
  parts.push('\n')
  return parts.join('')
}

function* printSteps(child: XmlElement | PrintedElement, parts: string[]): Generator<undefined> {
  if ('printed' in child || typeof child.children === 'string') {
    print(child, parts)
    return
  }
  openTag(child, parts)
  for (const below of child.children) {
    yield* printSteps(below, parts)
    yield
  }
  parts.push('</', child.name, '>')
}

/** Prints an element once for many documents, with the text that it has in JSON. */
export function printElement(root: XmlElement, json?: string): PrintedElement {
  const place = root.json
  const printed = {
    printed: toText(root),
    ...(place !== undefined && json !== undefined && { json: { ...place, text: json } }),
  }
  printedElements.add(printed)
  return printed
}

/** What no document may hold (XML 1.0 section 2.2), lone surrogates included, becomes U+FFFD. */
export function toXmlCharacters(text: string): string {
  return suspect.test(text) ? text.replaceAll(forbidden, '\uFFFD') : text
}

const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** A quick check, because nearly every text is fine. */
const suspect = /[\0-\x08\x0B\x0C\x0E-\x1F\uD800-\uDFFF\uFFFE\uFFFF]/

/**
 * Children out of a generator become one text each before the next is made: what they leave behind
 * is collected while it is young, which halves the time for a thousand situations (measured).
 */
function toText(root: XmlElement): string {
  const parts: string[] = []
  print(root, parts)
  return parts.join('')
}

function print(child: XmlElement | PrintedElement, parts: string[]): void {
  if ('printed' in child) {
    parts.push(child.printed)
    return
  }
  const { name, children } = child
  openTag(child, parts)
  if (typeof children === 'string') parts.push(escape(children, inText))
  else if (isList(children)) for (const listed of children) print(listed, parts)
  else for (const made of children) parts.push('printed' in made ? made.printed : toText(made))
  parts.push('</', name, '>')
}

function openTag({ name, attributes }: XmlElement, parts: string[]): void {
  parts.push('<', name)
  for (const attribute in attributes) {
    parts.push(' ', attribute, '="', escape(attributes[attribute] ?? '', inAttribute), '"')
  }
  parts.push('>')
}

function isList(
  children: Exclude<XmlElement['children'], string>,
): children is readonly (XmlElement | PrintedElement)[] {
  return Array.isArray(children)
}

/** A parser would turn a bare carriage return, and in attributes any blank, into something else. */
const inText = { special: /[&<>\r]/, every: /[&<>\r]/g }
const inAttribute = { special: /[&<>"\t\n\r]/, every: /[&<>"\t\n\r]/g }

function escape(raw: string, { special, every }: typeof inText): string {
  const text = toXmlCharacters(raw)
  return special.test(text) ? text.replaceAll(every, toReference) : text
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function toReference(character: string): string {
  return named[character] ?? `&#${String(character.charCodeAt(0))};`
}
