// Reads the syntax tree of libpg-query piece by piece. Missing parts are empty.

/** A node such as `{SelectStmt: …}`, or the content of one. */
export type Node = Readonly<Record<string, unknown>>

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (isNode(found) ? found[name] : undefined), value)
}

export function nodeOf(value: unknown, ...path: readonly string[]): Node {
  const found = at(value, path)
  return isNode(found) ? found : {}
}

export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, path)
  return Array.isArray(found) ? found : []
}

export function textOf(value: unknown, ...path: readonly string[]): string {
  const found = at(value, path)
  return typeof found === 'string' ? found : ''
}
