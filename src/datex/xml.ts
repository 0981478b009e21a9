/** A minimal writer of XML 1.0 documents. Its output is always well-formed. */

/**
 * An XML element with either text or child elements; DATEX II has no mixed content. Children may
 * come from a generator, which makes them while the document is printed, so that a long document is
 * never in memory as a tree.
 */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: string | Iterable<XmlElement | PrintedElement>
  /** Place of the element in the JSON encoding, if the DATEX II version has one. */
  readonly json?: JsonPlace | undefined
}

/** Shape of a value in the JSON encoding of DATEX II. */
export type Form = 'text' | 'number' | 'boolean' | 'enumeration' | 'texts' | 'structure'

type JsonPlace = {
  readonly key: string
  /** Whether the field may repeat. If so, even a single value is printed as a list. */
  readonly repeated: boolean
  readonly form: Form
  /** The concrete type, if the declared type has descendants. */
  readonly named: string | undefined
}

/**
 * The printed text of an element. It can be kept and inserted into further documents, also in place
 * of a value that would be written. Only `printElement` makes one.
 */
export type PrintedElement = {
  readonly printed: string
  readonly json?: JsonPlace & { readonly text: string }
}

const printedElements = new WeakSet<object>()

/**
 * Reports whether a value was made by `printElement`. Outside data of the same shape is not
 * accepted.
 */
export function isPrinted(value: unknown): value is PrintedElement {
  return typeof value === 'object' && value !== null && printedElements.has(value)
}

const none = {}

/**
 * Makes an element. Names must come from our own tables; text and attribute values may be anything.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = none,
  children: XmlElement['children'] = '',
): XmlElement {
  return { name, attributes, children }
}

/** Prints a document with its XML declaration. Encode the text as UTF-8. */
export function toXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toText(root)}\n`
}

/**
 * Prints the same document as `toXml`, but yields after each child, for documents with thousands of
 * elements.
 */
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

/** Prints an element once for many documents, and attaches its JSON text if there is one. */
export function printElement(root: XmlElement, json?: string): PrintedElement {
  const place = root.json
  const printed = {
    printed: toText(root),
    ...(place !== undefined && json !== undefined && { json: { ...place, text: json } }),
  }
  printedElements.add(printed)
  return printed
}

/**
 * Replaces characters that no XML document may contain (XML 1.0 section 2.2), including lone
 * surrogates, by U+FFFD.
 */
export function toXmlCharacters(text: string): string {
  return suspect.test(text) ? text.replaceAll(forbidden, '\uFFFD') : text
}

const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** A quick check for forbidden characters, because nearly every text has none. */
const suspect = /[\0-\x08\x0B\x0C\x0E-\x1F\uD800-\uDFFF\uFFFE\uFFFF]/

/**
 * Prints an element. Each child from a generator becomes a single text before the next one is made:
 * what it leaves behind is garbage-collected while young, which halves the time for a thousand
 * situations (measured).
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

/**
 * Characters to escape. They include those that a parser would change: a carriage return, and in
 * attributes any tab or line break.
 */
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
