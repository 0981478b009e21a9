import { SaxesParser } from 'saxes'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { exactly } from '../../../lang/schemas.ts'
import { DecodeFault, charset, isCharset, markedEncoding, toBytes, toText } from './text.ts'
import type { Decoding } from './text.ts'

/** An element with its content. */
export type XmlElement = {
  /** Name as written, with its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Text and CDATA directly inside the element, joined. */
  readonly text: string
}

type Open = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  readonly texts: string[]
}

/** Limits that no feed reaches. Without them, comparing names and paths would be slow. */
const maxNameLength = 1000
const maxAttributes = 200

/**
 * The five predefined entities of XML, without those that a JavaScript object inherits
 * (`&constructor;`).
 */
const entities = { __proto__: null, amp: '&', gt: '>', lt: '<', quot: '"', apos: "'" }

/**
 * Parses an XML document to its root element. A document type declaration is ignored: nothing that
 * it declares is expanded or fetched.
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
    if (name.length > maxNameLength)
      fail(`a name has more than ${String(maxNameLength)} characters`)
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
  return roots[0] ?? fail('this is not valid XML: there is no element')
}

function guard(parser: SaxesParser, fail: (reason: string) => never): void {
  Object.assign(parser, { ENTITIES: entities })
  parser.on('error', ({ message }) => {
    fail(`this is not well-formed XML: ${message.replace(/^\d+:\d+: /, '').slice(0, 200)}`)
  })
  let attributes = 0
  parser.on('opentagstart', () => {
    attributes = 0
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > maxAttributes) {
      fail(`an element has more than ${String(maxAttributes)} attributes`)
    }
  })
}

/**
 * Returns the text of an XML document. A byte order mark determines its encoding, otherwise the
 * charset of the step, otherwise the document's own declaration; the default is UTF-8 (RFC 7303
 * section 3).
 */
export function xmlText(input: unknown, charset: string | undefined): string {
  if (typeof input === 'string') return toText(input)
  const bytes = toBytes(input)
  return toText(bytes, charset ?? unmarkedUtf16(bytes) ?? declaredIn(bytes))
}

/** Recognizes UTF-16 without a byte order mark, because the document starts with `<`. */
function unmarkedUtf16([first, second]: Uint8Array): string | undefined {
  if (first === 0x3c && second === 0) return 'utf-16le'
  return first === 0 && second === 0x3c ? 'utf-16be' : undefined
}

/** Number of bytes at the start that are searched for an encoding declaration. */
const head = 1024

function declaredIn(bytes: Uint8Array): string | undefined {
  if (markedEncoding(bytes) !== undefined) return undefined
  const begin = Buffer.from(bytes.subarray(0, head)).toString('latin1')
  const [, label] =
    /^\s{0,99}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,60})["']/.exec(begin) ?? []
  // Text that starts with single bytes is not UTF-16, even though some programs that write UTF-8
  // declare it.
  if (label === undefined || /^utf-?16/i.test(label)) return undefined
  if (!isCharset(label)) throw new DecodeFault(`the declared encoding ${label} is not known`)
  return label
}

/** Returns a name without its prefix, which may differ between equivalent documents. */
export const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

export const XmlOptions = exactly({
  charset: Type.Optional(charset),
  arrays: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
      maxItems: 100,
      description:
        'Paths from the root (`data.stations.station`, `*` for any name) whose elements are a list even when there is one',
    }),
  ),
  attributes: Type.Optional(
    Type.String({
      maxLength: 8,
      description: 'Prefix of attribute names; default @',
    }),
  ),
  prefixes: Type.Optional(
    Type.Union([Type.Literal('drop'), Type.Literal('keep')], {
      description: 'Prefixes of namespaces; `drop` (default) leaves out xmlns attributes, too',
    }),
  ),
  trim: Type.Optional(
    Type.Boolean({ description: 'Whether blanks around texts are left out; default true' }),
  ),
})
export type XmlOptions = Static<typeof XmlOptions>

/**
 * Converts an XML document to JSON, `{root: …}`. An element with neither attributes nor child
 * elements becomes its text. Any other element becomes an object: attributes as `@name`, child
 * elements by name, as a list if a name is repeated or its path is in `arrays`, and the text
 * between them, if any, as `#text`.
 * @throws DecodeFault with line and column
 */
export function decodeXml(input: unknown, options: XmlOptions, { maxDepth }: Decoding): unknown {
  const { arrays = [], attributes = '@', prefixes = 'drop', trim = true } = options
  const form: Form = {
    attribute: attributes,
    nameOf: prefixes === 'drop' ? withoutPrefix : (name) => name,
    keepsNamespaces: prefixes === 'keep',
    textOf: trim ? ({ text }) => text.trim() : ({ text }) => text,
  }
  const root = parseXml(xmlText(input, options.charset), maxDepth)
  const document = { name: '', attributes: {}, children: [root], text: '' }
  return toValue(document, form, compilePaths(arrays))
}

type Form = {
  readonly attribute: string
  readonly nameOf: (name: string) => string
  readonly keepsNamespaces: boolean
  readonly textOf: (element: XmlElement) => string
}

/** @param lists the rests of the paths in `arrays` below this element */
function toValue(element: XmlElement, form: Form, lists: readonly PathTree[]): unknown {
  const members = attributesOf(element, form)
  if (members.size === 0 && element.children.length === 0) return form.textOf(element)
  for (const [name, { values, isList }] of childrenOf(element, form, lists)) {
    members.set(name, isList || values.length > 1 ? values : values[0])
  }
  if (element.text.trim() !== '') members.set('#text', form.textOf(element))
  // From entries, because an element named `__proto__` is an element like any other.
  return Object.fromEntries(members)
}

type Siblings = { readonly values: unknown[]; readonly isList: boolean }

function childrenOf(
  { children }: XmlElement,
  form: Form,
  lists: readonly PathTree[],
): ReadonlyMap<string, Siblings> {
  const found = new Map<string, Siblings & { readonly inner: readonly PathTree[] }>()
  for (const child of children) {
    const name = form.nameOf(child.name)
    let siblings = found.get(name)
    if (siblings === undefined) {
      const inner = descend(lists, name)
      siblings = { values: [], isList: inner.some(({ ends }) => ends), inner }
      found.set(name, siblings)
    }
    siblings.values.push(toValue(child, form, siblings.inner))
  }
  return found
}

function attributesOf({ attributes }: XmlElement, form: Form): Map<string, unknown> {
  const members = new Map<string, unknown>()
  for (const name of Object.keys(attributes)) {
    if (!form.keepsNamespaces && (name === 'xmlns' || name.startsWith('xmlns:'))) continue
    members.set(`${form.attribute}${form.nameOf(name)}`, attributes[name])
  }
  return members
}

/** Tree of the paths that start with the same names. */
type PathTree = {
  /** Whether one of the paths ends here. */
  readonly ends: boolean
  readonly steps: ReadonlyMap<string, PathTree>
}

/** Wildcard for any element name. */
const any = '*'

/** Converts dotted paths to trees, such as `data.stations.station` and `data.*.sensor`. */
function compilePaths(paths: readonly string[]): readonly PathTree[] {
  return paths.length === 0 ? [] : [toTree(paths.map((path) => path.split('.')))]
}

/** Returns the rests of the paths inside a child element. */
function descend(trees: readonly PathTree[], name: string): readonly PathTree[] {
  if (trees.length === 0) return trees
  return trees.flatMap(({ steps }) =>
    [steps.get(name), name === any ? undefined : steps.get(any)].filter(
      (tree) => tree !== undefined,
    ),
  )
}

function toTree(paths: readonly (readonly string[])[]): PathTree {
  const byName = Map.groupBy(
    paths.filter((path) => path.length > 0),
    ([first = '']) => first,
  )
  return {
    ends: paths.some((path) => path.length === 0),
    steps: new Map(
      [...byName].map(([name, within]) => [name, toTree(within.map((path) => path.slice(1)))]),
    ),
  }
}
