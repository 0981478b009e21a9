import type { Operation } from './document.ts'

export type Wish = { readonly text: string; readonly tag: string; readonly method: string }

/** The operations that have all the words in their address, name or summary. */
export function findOperations(
  operations: readonly Operation[],
  { text, tag, method }: Wish,
): readonly Operation[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(
    (operation) =>
      (tag === '' || operation.tag === tag) &&
      (method === '' || operation.method === method) &&
      wanted.every((word) => readable(operation).includes(word)),
  )
}

function readable({ id, path, summary, method, tag }: Operation): string {
  return `${method} ${path} ${id} ${tag} ${summary ?? ''}`.toLowerCase()
}
