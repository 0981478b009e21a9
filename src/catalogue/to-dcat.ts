import type { InLanguages } from '../content/index.ts'
import type { Dataset, Extent } from './schemas.ts'

type CatalogueSource = {
  readonly publicUrl: string
  /** What the hub is called. */
  readonly title: string
  readonly datasets: readonly Dataset[]
}

/**
 * The catalogue as other portals harvest it: DCAT-AP 3 as JSON-LD. What takes a token altogether is
 * named without a distribution.
 */
export function toDcat({ publicUrl, title, datasets }: CatalogueSource): object {
  const publisher = {
    '@id': publicUrl,
    '@type': 'foaf:Agent',
    'foaf:name': new URL(publicUrl).host,
  }
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

type DatasetContext = {
  readonly publicUrl: string
  readonly service: string
}

function toDataset(dataset: Dataset, { publicUrl, service }: DatasetContext): object {
  const { id, links, updated, languages, extent } = dataset
  const codes = languages.flatMap((code) => languageOf(code) ?? [])
  return {
    '@id': links['self'],
    '@type': 'dcat:Dataset',
    'dct:identifier': id,
    'dct:title': tagged(dataset.title),
    'dct:description': tagged(dataset.description),
    'dct:publisher': { '@id': publicUrl },
    'dcat:theme': { '@id': `${authority}/data-theme/${themes[dataset.dataspace] ?? 'REGI'}` },
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

/** By its name a portal that harvests many hubs recognizes this one. */
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

/** Formats in which all records of a list come at once. */
const whole = ['json', 'csv', 'geojson', 'ndjson']

/** Ways to have the whole of a dataset, each in one format. */
function toDistributions(dataset: Dataset, service: string): readonly object[] {
  return dataset.formats.flatMap(({ name, mediaType }) => {
    const address = addressOf(dataset, name)
    if (address === undefined) return []
    const fileType = fileTypeOf(name)
    return [
      {
        '@id': address,
        '@type': 'dcat:Distribution',
        'dct:title': name,
        'dcat:accessURL': { '@id': address },
        'dcat:downloadURL': { '@id': address },
        'dcat:mediaType': { '@id': `https://www.iana.org/assignments/media-types/${mediaType}` },
        ...(fileType === undefined ? {} : { 'dct:format': { '@id': fileType } }),
        'dcat:accessService': { '@id': service },
        ...licensed(dataset.licences),
      },
    ]
  })
}

function addressOf({ service, links }: Dataset, format: string): string | undefined {
  if (service === 'timeseries') {
    const { latest } = links
    return latest === undefined ? undefined : `${latest}?limit=-1&format=${format}`
  }
  if (format === 'datex2') return links['feed']
  const { list } = links
  if (list === undefined || !whole.includes(format)) return undefined
  const separator = list.includes('?') ? '&' : '?'
  return `${list}${separator}stream=true&format=${format}`
}

/** A distribution has one licence at most; where records have several, they are named. */
function licensed(names: readonly string[]): object {
  const [first, ...others] = names
  if (first === undefined) return {}
  if (others.length > 0) {
    return { 'dct:rights': { '@type': 'dct:RightsStatement', 'rdfs:label': names.join(', ') } }
  }
  const known = licenceOf(first)
  const document = { '@type': 'dct:LicenseDocument', 'rdfs:label': first }
  return { 'dct:license': known === undefined ? document : { '@id': known, ...document } }
}

/** Prefixes of the names that DCAT-AP 3 uses. */
const context = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  geosparql: 'http://www.opengis.net/ont/geosparql#',
} as const

const authority = 'http://publications.europa.eu/resource/authority'

/** Controlled vocabularies of the Publications Office, which DCAT-AP requests. */
const languages: Readonly<Record<string, string>> = {
  ...{ de: 'DEU', it: 'ITA', en: 'ENG', fr: 'FRA', nl: 'NLD', cs: 'CES', pl: 'POL', ru: 'RUS' },
  ...{ es: 'SPA', sl: 'SLV', hu: 'HUN', ro: 'RON', sk: 'SLK', hr: 'HRV', pt: 'POR', sv: 'SWE' },
}

function languageOf(code: string): string | undefined {
  const known = languages[code]
  return known === undefined ? undefined : `${authority}/language/${known}`
}

const themes: Readonly<Record<string, string>> = {
  tourism: 'ECON',
  mobility: 'TRAN',
  weather: 'ENVI',
  other: 'REGI',
}

const fileTypes: Readonly<Record<string, string>> = {
  json: 'JSON',
  csv: 'CSV',
  geojson: 'GEOJSON',
  datex2: 'XML',
}

function fileTypeOf(format: string): string | undefined {
  const known = fileTypes[format]
  return known === undefined ? undefined : `${authority}/file-type/${known}`
}

const accessRights = {
  open: `${authority}/access-right/PUBLIC`,
  // Most of it is open to everybody; the rest comes with a token.
  partly: `${authority}/access-right/PUBLIC`,
  closed: `${authority}/access-right/RESTRICTED`,
} as const

const licences: Readonly<Record<string, string>> = {
  cc0: 'CC0',
  'cc0-1.0': 'CC0',
  'cc-by': 'CC_BY',
  'cc-by-4.0': 'CC_BY_4_0',
  'cc-by-sa-4.0': 'CC_BYSA_4_0',
}

function licenceOf(name: string): string | undefined {
  const known = licences[name.toLowerCase().replaceAll(' ', '-')]
  return known === undefined ? undefined : `${authority}/licence/${known}`
}
