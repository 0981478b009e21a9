import { toXmlCharacters } from '../../datex/index.ts'
import { classesOfValues, expand } from './terms.ts'
import type { Term } from './terms.ts'

/** A text, in a language or of a data type. */
export type Literal = {
  readonly kind: 'literal'
  readonly text: string
  readonly language?: string
  readonly type?: Term
}

/** Something with an IRI, and what is stated of it here. */
export type Resource = {
  readonly kind: 'resource'
  readonly iri: string
  readonly types: readonly Term[]
  readonly statements: readonly (readonly [property: string, values: readonly Value[]])[]
}

export type Value = Literal | Resource

/** Values by property; what is undefined or empty is not stated. */
export type Statements = Readonly<
  Partial<Record<Term, Value | readonly (Value | undefined)[] | undefined>>
>

/** @param address is encoded where it holds what no IRI may: parts of it come from providers */
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

/** RFC 3987 allows none of these; a stray percent sign neither. */
const forbidden = /[\s\p{C}"<>\\^`{|}]|%(?![\dA-Fa-f]{2})/gu

function toIri(address: string): string {
  return address.toWellFormed().replaceAll(forbidden, encodeURIComponent)
}

/** A text without what XML cannot hold, so that all forms of the catalogue state the same. */
export function text(raw: string, type?: Term): Literal {
  const clean = { kind: 'literal', text: toXmlCharacters(raw) } as const
  return type === undefined ? clean : { ...clean, type }
}

/** A text in each language that has one. */
export function texts(inLanguages: Readonly<Record<string, string>>): readonly Literal[] {
  return Object.entries(inLanguages)
    .filter(([, raw]) => raw.trim() !== '')
    .map(([language, raw]) => ({ ...text(raw), language }))
}

/** What is stated: by subject, then by property; every value once. */
export type Graph = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Value>>>

type Collected = Map<string, Map<string, Map<string, Value>>>

/** Everything that is stated of a resource and of those that it leads to. */
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
