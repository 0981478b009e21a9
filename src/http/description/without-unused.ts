import { asDocument } from './document.ts'
import type { Document } from './document.ts'

/** A part of a description with those of its components only that it refers to, or they to each other. */
export function withoutUnused(document: Document): Document {
  const { components, ...rest } = document
  const all = asDocument(components)
  const used = new Set<string>()
  collect(rest, { all, used })
  const kept = Object.entries(all).map(([kind, members]): [string, Document] => {
    // Kinds of authentication are named, not referred to.
    const isUsed = (name: string) =>
      kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`)
    const found = Object.entries(asDocument(members)).filter(([name]) => isUsed(name))
    return [kind, Object.fromEntries(found)]
  })
  const filled = kept.filter(([, members]) => Object.keys(members).length > 0)
  return { ...rest, components: Object.fromEntries(filled) }
}

type Search = { readonly all: Document; readonly used: Set<string> }

function collect(value: unknown, search: Search): void {
  if (typeof value !== 'object' || value === null) return
  const reference = '$ref' in value ? value.$ref : undefined
  if (typeof reference === 'string' && !search.used.has(reference)) {
    search.used.add(reference)
    const [, , kind = '', name = ''] = reference.split('/')
    collect(asDocument(search.all[kind])[name], search)
  }
  for (const member of Object.values(asDocument(value))) collect(member, search)
}
