/** Namespaces of the terms used in the catalogue, by prefix. */
export const prefixes = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatap: 'http://data.europa.eu/r5r/',
  dct: 'http://purl.org/dc/terms/',
  dqv: 'http://www.w3.org/ns/dqv#',
  eli: 'http://data.europa.eu/eli/ontology#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geosparql: 'http://www.opengis.net/ont/geosparql#',
  // The shapes of version 1.0.1 spell it with http; the access points that harvest it use https.
  mobilitydcatap: 'http://w3id.org/mobilitydcat-ap#',
  mobilitydcataps: 'https://w3id.org/mobilitydcat-ap#',
  oa: 'http://www.w3.org/ns/oa#',
  owl: 'http://www.w3.org/2002/07/owl#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const

/** A term with its prefix, such as `dct:title`. */
export type Term = `${keyof typeof prefixes}:${string}`

const namespaces: Readonly<Record<string, string>> = prefixes

/** Returns the full IRI of a term. */
export function expand(term: string): string {
  const [prefix = '', name = ''] = term.split(':')
  return `${namespaces[prefix] ?? ''}${name}`
}

/**
 * Classes that the values of a property must state, because the shapes of the profiles check them
 * and validators infer nothing.
 */
export const classesOfValues: Readonly<Record<string, readonly Term[]>> = {
  'dcat:accessService': ['dcat:DataService'],
  'dcat:accessURL': ['rdfs:Resource'],
  'dcat:contactPoint': ['vcard:Kind'],
  'dcat:endpointDescription': ['rdfs:Resource'],
  'dcat:endpointURL': ['rdfs:Resource'],
  'dcat:servesDataset': ['dcat:Dataset'],
  'dcatap:applicableLegislation': ['eli:LegalResource'],
  'dcatap:hvdCategory': ['skos:Concept'],
  'dct:conformsTo': ['dct:Standard'],
  'dct:publisher': ['foaf:Agent'],
  'foaf:mbox': ['owl:Thing'],
  'foaf:primaryTopic': ['dcat:Dataset', 'dcat:Resource'],
  'foaf:page': ['foaf:Document'],
  // mobilityDCAT-AP allows the URL of a text here, but only as a literal.
  'oa:hasBody': ['rdfs:Literal'],
  'vcard:hasEmail': ['owl:Thing', 'rdfs:Resource'],
  'vcard:hasURL': ['owl:Thing', 'rdfs:Resource'],
}
