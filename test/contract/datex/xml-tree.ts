import { SaxesParser } from 'saxes'

/** An element as a reader sees it, with names without prefixes. */
export type Tree = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Tree[]
  readonly text: string
}

type Growing = Tree & { children: Growing[]; text: string }

/** Parses a document with a namespace-aware parser; throws if it is not well-formed. */
export function readXml(xml: string): Tree {
  const root: Growing = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, attributes }) => {
    const values = Object.values(attributes).map(({ name, value }) => [name, value] as const)
    const element = { name: local, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.on('closetag', () => open.pop())
  parser.write(xml).close()
  const [document] = root.children
  if (document === undefined) throw new Error('The document is empty.')
  return document
}

/**
 * Returns all descendants at a path of names, such as `validity/validityStatus`; `**` matches any
 * depth.
 */
export function all(tree: Tree, path: string): readonly Tree[] {
  const [step = '', ...rest] = path.split('/')
  if (step === '') return [tree]
  if (step === '**') {
    const below = tree.children.flatMap((child) => all(child, path))
    return [...all(tree, rest.join('/')), ...below]
  }
  const fitting = tree.children.filter(({ name }) => name === step)
  return fitting.flatMap((child) => all(child, rest.join('/')))
}

/** Returns the texts at a path. */
export function texts(tree: Tree, path: string): readonly string[] {
  return all(tree, path).map(({ text }) => text)
}

/** Returns the first text at a path, or undefined if there is none. */
export function text(tree: Tree, path: string): string | undefined {
  return texts(tree, path)[0]
}
