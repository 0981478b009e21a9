/** A node of linked data: an object with an `@type` and properties of schema.org. */
export type LinkedNode = Readonly<Record<string, unknown>>

/**
 * A node without the properties that say nothing; undefined when none is left. A JSON-LD processor drops
 * null and what has no value, so nothing of the kind is ever written.
 */
export function toNode(
  type: string,
  properties: Readonly<Record<string, unknown>>,
): LinkedNode | undefined {
  const said = Object.entries(properties).filter(([, value]) => saysSomething(value))
  return said.length === 0 ? undefined : { '@type': type, ...Object.fromEntries(said) }
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

/** An address of the web; anything else is no link. */
export function linkOf(written: string | undefined): string | undefined {
  return written !== undefined && /^https?:\/\//i.test(written) && URL.canParse(written)
    ? written
    : undefined
}

/** A node or none, as a list. */
export function present(node: LinkedNode | undefined): readonly LinkedNode[] {
  return node === undefined ? [] : [node]
}
