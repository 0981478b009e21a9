import { Type } from 'typebox'
import type { Static } from 'typebox'
import { charset } from './charset.ts'
import type { Decoding } from './limits.ts'
import { parseXml, withoutPrefix, xmlText } from './xml-tree.ts'
import type { XmlElement } from './xml-tree.ts'

export const XmlOptions = Type.Object(
  {
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
        description: 'What is put before names of attributes; default @',
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
  },
  { additionalProperties: false },
)
export type XmlOptions = Static<typeof XmlOptions>

/**
 * The JSON form of an XML document, `{root: …}`. An element with neither attributes nor elements is its
 * text. Any other is an object: each attribute as `@name`, the elements by name, a list where a name is
 * repeated or the path is one of `arrays`, and the text that stands between, if any, as `#text`.
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

/** @param lists what of `arrays` begins at this element */
function toValue(element: XmlElement, form: Form, lists: readonly PathTree[]): unknown {
  const members = attributesOf(element, form)
  if (members.size === 0 && element.children.length === 0) return form.textOf(element)
  for (const [name, { values, isList }] of childrenOf(element, form, lists)) {
    members.set(name, isList || values.length > 1 ? values : values[0])
  }
  if (element.text.trim() !== '') members.set('#text', form.textOf(element))
  // Entries, since an element named `__proto__` is an element like any other.
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
    if (!form.keepsNamespaces && isNamespace(name)) continue
    members.set(`${form.attribute}${form.nameOf(name)}`, attributes[name])
  }
  return members
}

const isNamespace = (name: string) => name === 'xmlns' || name.startsWith('xmlns:')

/** Paths that begin with the same names, as a tree. */
type PathTree = {
  /** Whether one of the paths ends here. */
  readonly ends: boolean
  readonly steps: ReadonlyMap<string, PathTree>
}

/** Any name of an element. */
const any = '*'

/** The trees of dotted paths, such as `data.stations.station` and `data.*.sensor`. */
function compilePaths(paths: readonly string[]): readonly PathTree[] {
  return paths.length === 0 ? [] : [toTree(paths.map((path) => path.split('.')))]
}

/** What is left of the paths inside of an element. */
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
