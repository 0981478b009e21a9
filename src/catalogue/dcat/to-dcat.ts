import type { InLanguages } from '../../content/index.ts'
import type { Dataset } from '../dataset.ts'
import type { Extent } from '../miniature/extent.ts'
import { toDistributions } from './to-distributions.ts'
import { accessRights, context, languageOf, themeOf } from './vocabulary.ts'

type Given = {
  readonly publicUrl: string
  /** What the hub is called. */
  readonly title: string
  readonly datasets: readonly Dataset[]
}

/**
 * The catalogue as other portals harvest it: DCAT-AP 3 as JSON-LD. What takes a token altogether is
 * named without a distribution.
 */
export function toDcat({ publicUrl, title, datasets }: Given): object {
  const publisher = { '@id': publicUrl, '@type': 'foaf:Agent', 'foaf:name': nameOf(publicUrl) }
  const service = `${publicUrl}/openapi.json`
  return {
    '@context': context,
    '@id': `${publicUrl}/catalogue`,
    '@type': 'dcat:Catalog',
    'dct:title': tagged(titled(title)),
    'dct:description': tagged(description),
    'dct:publisher': publisher,
    'dct:language': ['de', 'it', 'en'].map((code) => ({ '@id': languageOf(code) })),
    'foaf:homepage': { '@id': `${publicUrl}/` },
    'dcat:service': {
      '@id': service,
      '@type': 'dcat:DataService',
      'dct:title': tagged(titled(title)),
      'dcat:endpointURL': { '@id': publicUrl },
      'dcat:endpointDescription': { '@id': service },
      'dcat:servesDataset': datasets.map(({ links }) => ({ '@id': links['self'] })),
    },
    'dcat:dataset': datasets.map((dataset) => toDataset(dataset, { publicUrl, service })),
  }
}

type Surroundings = {
  readonly publicUrl: string
  readonly service: string
}

function toDataset(dataset: Dataset, { publicUrl, service }: Surroundings): object {
  const { id, links, updated, languages, extent } = dataset
  const codes = languages.flatMap((code) => languageOf(code) ?? [])
  return {
    '@id': links['self'],
    '@type': 'dcat:Dataset',
    'dct:identifier': id,
    'dct:title': tagged(dataset.title),
    'dct:description': tagged(dataset.description),
    'dct:publisher': { '@id': publicUrl },
    'dcat:theme': { '@id': themeOf(dataset.dataspace) },
    'dct:accessRights': { '@id': accessRights[dataset.access] },
    'dcat:landingPage': { '@id': links['page'] },
    ...(updated === null ? {} : { 'dct:modified': { '@type': 'xsd:dateTime', '@value': updated } }),
    ...(codes.length === 0 ? {} : { 'dct:language': codes.map((code) => ({ '@id': code })) }),
    ...(extent === null ? {} : { 'dct:spatial': toLocation(extent) }),
    'dcat:keyword': [dataset.dataspace, dataset.type],
    ...(dataset.count === null ? {} : { 'dcat:distribution': toDistributions(dataset, service) }),
  }
}

function toLocation({ west, south, east, north }: Extent): object {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const ring = corners.map((corner) => corner.join(' ')).join(',')
  const bbox = { '@type': 'geosparql:wktLiteral', '@value': `POLYGON((${ring}))` }
  return { '@type': 'dct:Location', 'dcat:bbox': bbox }
}

function tagged(texts: InLanguages): readonly object[] {
  return Object.entries(texts)
    .filter(([, text]) => text !== '')
    .map(([language, text]: readonly [string, string]) => ({
      '@language': language,
      '@value': text,
    }))
}

/** By its own name a portal that harvests many hubs tells this one from others. */
const titled = (title: string) => ({
  de: `${title}: offene Daten der Region`,
  it: `${title}: dati aperti della regione`,
  en: `${title}: open data of the region`,
})

const description = {
  de: 'Tourismus, Mobilität und Verkehr: alle Datensätze dieses Hubs.',
  it: 'Turismo, mobilità e traffico: tutti i dataset di questo hub.',
  en: 'Tourism, mobility and traffic: every dataset of this hub.',
}

function nameOf(publicUrl: string): string {
  return new URL(publicUrl).host
}
