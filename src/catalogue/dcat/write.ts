import { element, toXml } from '../../datex/index.ts'
import { toGraph } from './graph.ts'
import type { Literal, Resource, Value } from './graph.ts'
import { expand, prefixes } from './terms.ts'

/** Writers by the name of their form, as used in requests. */
export const writers = { 'json-ld': toJsonLd, turtle: toTurtle, 'rdf-xml': toRdfXml } as const

/** Writes JSON-LD, nested like the resources. */
export function toJsonLd(root: Resource): string {
  return JSON.stringify({ '@context': prefixes, ...toNode(root) })
}

function toNode({ iri, types, statements }: Resource): object {
  const stated = statements.map(
    ([property, values]) =>
      [
        property,
        values.map((one) => (one.kind === 'literal' ? toValue(one) : toNode(one))),
      ] as const,
  )
  return {
    '@id': iri,
    ...(types.length === 0 ? {} : { '@type': types }),
    ...Object.fromEntries<readonly object[]>(stated),
  }
}

function toValue({ text, language, type }: Literal): object {
  return {
    '@value': text,
    ...(language === undefined ? {} : { '@language': language }),
    ...(type === undefined ? {} : { '@type': type }),
  }
}

/** Writes Turtle, one resource after the other. The library is loaded on first use. */
async function toTurtle(root: Resource): Promise<string> {
  const { DataFactory, Writer } = await import('n3')
  const named = (iri: string) => DataFactory.namedNode(iri)
  const toTerm = (value: Value) => {
    if (value.kind === 'resource') return named(value.iri)
    const { text, language, type } = value
    const kind = language ?? (type === undefined ? undefined : named(expand(type)))
    return DataFactory.literal(text, kind)
  }
  const writer = new Writer({ prefixes })
  for (const [subject, properties] of toGraph(root)) {
    for (const [property, values] of properties) {
      for (const value of values.values()) {
        writer.addQuad(named(subject), named(expand(property)), toTerm(value))
      }
    }
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  writer.end((error: Error | null, result: string) => {
    if (error === null) resolve(result)
    else reject(error)
  })
  return promise
}

function toRdfXml(root: Resource): string {
  const descriptions = [...toGraph(root)].map(([subject, properties]) =>
    element('rdf:Description', { 'rdf:about': subject }, [...properties].flatMap(toElements)),
  )
  const namespaces = Object.fromEntries<string>(
    Object.entries(prefixes).map(([prefix, iri]) => [`xmlns:${prefix}`, iri] as const),
  )
  return toXml(element('rdf:RDF', namespaces, descriptions))
}

function toElements([property, values]: readonly [string, ReadonlyMap<string, Value>]) {
  return [...values.values()].map((value) => {
    if (value.kind === 'resource') return element(property, { 'rdf:resource': value.iri })
    const { text, language, type } = value
    return element(
      property,
      {
        ...(language === undefined ? {} : { 'xml:lang': language }),
        ...(type === undefined ? {} : { 'rdf:datatype': expand(type) }),
      },
      text,
    )
  })
}
