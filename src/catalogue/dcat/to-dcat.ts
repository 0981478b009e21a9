import type { Dataset, Extent } from '../schemas.ts'
import { resource, text, texts } from './graph.ts'
import type { Resource } from './graph.ts'
import { domainOf } from './mobility.ts'
import {
  contactOf,
  highValueOf,
  serviceOf,
  stateDataset,
  stateLicences,
  stateLocation,
  stateRecord,
  stateRegion,
} from './state-dataset.ts'
import type { Context } from './state-dataset.ts'
import { authority, highValueRegulation, languagesOf, themeOf } from './vocabularies.ts'

export type CatalogueSource = Context & {
  /** Name of the hub. */
  readonly title: string
  /** Area that the hub's data covers. */
  readonly extent: Extent | null
  readonly datasets: readonly Dataset[]
}

/**
 * Describes the catalogue for harvesting portals: DCAT-AP 3, plus the additions of the high-value
 * and mobility profiles to the datasets that they apply to.
 */
export function toDcat(source: CatalogueSource): Resource {
  const { publicUrl, title, extent, datasets, publication } = source
  const address = `${publicUrl}/catalogue`
  const { name } = publication.contact
  const updates = datasets.flatMap(({ updated }) => updated ?? []).sort()
  const newest = updates.at(-1)
  return resource(address, 'dcat:Catalog', {
    'dct:title': texts(titled(title)),
    'dct:description': texts(description),
    'dct:publisher': resource(publicUrl, 'foaf:Agent', {
      'foaf:name': text(name),
      'foaf:mbox': resource(mailOf(source)),
    }),
    'dct:language': languagesOf(['de', 'it', 'en']),
    'dct:modified': newest === undefined ? undefined : text(newest, 'xsd:dateTime'),
    'dct:spatial': [
      ...(extent === null ? [] : [stateLocation(`${address}#place`, extent)]),
      ...stateRegion(source),
    ],
    'dcat:themeTaxonomy': resource(`${authority}/data-theme`),
    'foaf:homepage': resource(`${publicUrl}/`),
    'dcat:contactPoint': resource(contactOf(source).iri, 'vcard:Kind', {
      'vcard:fn': text(name),
      'vcard:hasEmail': resource(mailOf(source)),
      'vcard:hasURL': resource(`${publicUrl}/`),
    }),
    'dcat:service': datasets.length === 0 ? undefined : stateService(source),
    'dcat:record': datasets.map((dataset) => stateRecord(dataset, source)),
    'dcat:dataset': datasets.map((dataset) => stateDataset(dataset, source)),
  })
}

function stateService(source: CatalogueSource): Resource {
  const { publicUrl, title, datasets, publication } = source
  const categories = datasets.flatMap((dataset) => highValueOf(dataset, source) ?? [])
  const licences = [...new Set(datasets.flatMap((dataset) => dataset.licences))]
  const domains = [...new Set(datasets.map(domainOf))]
  return resource(serviceOf(source), 'dcat:DataService', {
    'dct:title': texts(titled(title)),
    'dct:description': texts(description),
    'dct:publisher': resource(publicUrl),
    'dcat:contactPoint': contactOf(source),
    'dcat:endpointURL': resource(publicUrl),
    'dcat:endpointDescription': resource(serviceOf(source)),
    'dct:conformsTo': resource('https://spec.openapis.org/oas/v3.1.0'),
    'foaf:page': resource(publication.documentation),
    'dcat:theme': domains.map(themeOf),
    'dcat:keyword': domains.map((domain) => text(domain)),
    'dcatap:applicableLegislation': categories.length === 0 ? undefined : highValueRegulation,
    'dcatap:hvdCategory': categories,
    ...stateLicences(licences, { publicUrl, about: serviceOf(source) }),
    'dcat:servesDataset': datasets.map(({ links }) => resource(links['self'] ?? '')),
  })
}

/** Returns the contact's e-mail address as a URI (RFC 6068). */
function mailOf({ publication }: Context): string {
  return `mailto:${encodeURIComponent(publication.contact.email).replace('%40', '@')}`
}

/**
 * The title contains the hub's name, so that a portal that harvests many hubs can tell them apart.
 */
const titled = (title: string) => ({
  de: `${title}: offene Daten der Region`,
  it: `${title}: dati aperti della regione`,
  en: `${title}: open data of the region`,
})

/** Description of the hub as a whole. */
export const description = {
  de: 'Tourismus, Mobilität und Verkehr: alle Datensätze dieses Hubs.',
  it: 'Turismo, mobilità e traffico: tutti i dataset di questo hub.',
  en: 'Tourism, mobility and traffic: every dataset of this hub.',
}
