import { toXmlCharacters } from '../../datex/index.ts'
import { classesOfValues, expand } from './terms.ts'
import type { Term } from './terms.ts'

/** An RDF literal with a language or a data type. */
export type Literal = {
  readonly kind: 'literal'
  readonly text: string
  readonly language?: string
  readonly type?: Term
}

/** An RDF resource: its IRI and the statements about it. */
export type Resource = {
  readonly kind: 'resource'
  readonly iri: string
  readonly types: readonly Term[]
  readonly statements: readonly (readonly [property: string, values: readonly Value[]])[]
}

export type Value = Literal | Resource

/** Values by property. Undefined and empty values are omitted. */
export type Statements = Readonly<
  Partial<Record<Term, Value | readonly (Value | undefined)[] | undefined>>
>

/**
 * @param address is percent-encoded where it holds characters that an IRI must not have, because
 * parts of it come from providers
 */
export function resource(address: string, type?: Term, stated: Statements = {}): Resource {
  const statements = Object.entries<Statements[Term]>(stated)
    .map(([property, values]) => [property, classed(property, [values].flat())] as const)
    .filter(([, values]) => values.length > 0)
  return {
    kind: 'resource',
    iri: toIri(address),
    types: type === undefined ? [] : [type],
    statements,
  }
}

function classed(property: string, values: readonly (Value | undefined)[]): readonly Value[] {
  const classes = classesOfValues[property] ?? []
  return values.flatMap((value) => {
    if (value === undefined) return []
    if (value.kind === 'literal' || classes.length === 0) return [value]
    return [{ ...value, types: [...new Set([...value.types, ...classes])] }]
  })
}

/** Characters that RFC 3987 does not allow in an IRI, and percent signs that encode nothing. */
const forbidden = /[\s\p{C}"<>\\^`{|}]|%(?![\dA-Fa-f]{2})/gu

function toIri(address: string): string {
  return address.toWellFormed().replaceAll(forbidden, encodeURIComponent)
}

/**
 * Returns a literal without the characters that XML cannot hold, so that all forms of the catalogue
 * state the same.
 */
export function text(raw: string, type?: Term): Literal {
  const clean = { kind: 'literal', text: toXmlCharacters(raw) } as const
  return type === undefined ? clean : { ...clean, type }
}

/** Returns one literal per language. Languages without text are omitted. */
export function texts(inLanguages: Readonly<Record<string, string>>): readonly Literal[] {
  return Object.entries(inLanguages)
    .filter(([, raw]) => raw.trim() !== '')
    .map(([language, raw]) => ({ ...text(raw), language }))
}

/** Statements by subject, then by property. Each value occurs once. */
export type Graph = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Value>>>

type Collected = Map<string, Map<string, Map<string, Value>>>

/** Collects the statements about a resource and about every resource reachable from it. */
export function toGraph(root: Resource): Graph {
  const graph: Collected = new Map()
  collect(root, graph)
  return graph
}

function collect({ iri, types, statements }: Resource, graph: Collected): void {
  const classes = types.map((type) => resource(expand(type)))
  const about = classes.length === 0 ? statements : [['rdf:type', classes] as const, ...statements]
  for (const [property, values] of about) {
    const known = within(within(graph, iri), property)
    for (const value of values) {
      known.set(keyOf(value), value)
      if (value.kind === 'resource') collect(value, graph)
    }
  }
}

function within<Inner>(outer: Map<string, Map<string, Inner>>, key: string): Map<string, Inner> {
  const found = outer.get(key) ?? new Map<string, Inner>()
  outer.set(key, found)
  return found
}

function keyOf(value: Value): string {
  if (value.kind === 'resource') return value.iri
  return JSON.stringify([value.text, value.language, value.type])
}
