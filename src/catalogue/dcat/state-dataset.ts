import { streamedFormats } from '../../content/index.ts'
import type { Dataset, Extent } from '../schemas.ts'
import { resource, text, texts } from './graph.ts'
import type { Resource, Statements } from './graph.ts'
import { domainOf, stateMobility, stateMobilityAccess } from './mobility.ts'
import {
  accessRightOf,
  categoryOf,
  concept,
  fileTypeOf,
  frequencyOf,
  highValueRegulation,
  languagesOf,
  licenceOf,
  standardOf,
  themeOf,
} from './vocabularies.ts'

/** Statements of the operator about all datasets (HUB_CONTACT and related settings). */
export type Publication = {
  readonly contact: { readonly name: string; readonly email: string }
  readonly documentation: string
  /** Category of high-value datasets, or `none`, by dataset identifier or by dataspace. */
  readonly highValue: ReadonlyMap<string, string>
  /** NUTS codes of the region, such as ITH10 or IT. */
  readonly region: readonly string[]
  /** Road classes in the vocabulary of mobilityDCAT-AP. */
  readonly roadNetwork: readonly string[]
}

export type Context = {
  readonly publicUrl: string
  readonly publication: Publication
}

/** URL of the OpenAPI document. It also identifies the data service that serves the datasets. */
export const serviceOf = ({ publicUrl }: Pick<Context, 'publicUrl'>) => `${publicUrl}/openapi.json`

export const contactOf = ({ publicUrl }: Pick<Context, 'publicUrl'>) =>
  resource(`${publicUrl}/catalogue#contact`)

/**
 * Returns the category of a high-value dataset. Closed data has none, because high-value datasets
 * must be open to everybody.
 */
export function highValueOf(dataset: Dataset, { publication }: Context): Resource | undefined {
  if (dataset.access === 'closed') return undefined
  const { highValue } = publication
  return categoryOf(highValue.get(dataset.id) ?? highValue.get(domainOf(dataset)))
}

/** Describes a dataset and its distributions. One that requires a token has no distribution. */
export function stateDataset(dataset: Dataset, context: Context): Resource {
  const { id, type, updated, extent } = dataset
  const { publicUrl, publication } = context
  const category = highValueOf(dataset, context)
  const titles = texts(dataset.title)
  const descriptions = texts(dataset.description)
  return resource(addressOf(dataset), 'dcat:Dataset', {
    'dct:identifier': text(id),
    'dct:title': titles.length === 0 ? text(type) : titles,
    'dct:description': descriptions.length === 0 ? titles : descriptions,
    'dct:publisher': resource(publicUrl),
    'dcat:contactPoint': contactOf(context),
    'dcat:theme': themeOf(domainOf(dataset)),
    'dcat:keyword': [text(dataset.dataspace), text(type)],
    'dct:accessRights': accessRightOf(dataset.access),
    'dcat:landingPage': resource(dataset.links['page'] ?? publicUrl),
    'foaf:page': resource(publication.documentation),
    'dct:modified': updated === null ? undefined : text(updated, 'xsd:dateTime'),
    'dct:accrualPeriodicity': stateFrequency(dataset),
    'dct:language': languagesOf(dataset.languages),
    'dct:spatial': [
      ...(extent === null ? [] : [stateLocation(`${addressOf(dataset)}#place`, extent)]),
      ...stateRegion(context),
    ],
    'dct:conformsTo': extent === null ? undefined : resource(wgs84),
    'dcatap:applicableLegislation': category === undefined ? undefined : highValueRegulation,
    'dcatap:hvdCategory': category,
    'dqv:hasQualityAnnotation': stateQuality(dataset),
    ...stateLicences(dataset.licences, { publicUrl, about: addressOf(dataset) }),
    ...stateMobility(dataset, publication.roadNetwork),
    'dcat:distribution': dataset.count === null ? undefined : stateDistributions(dataset, context),
  })
}

/**
 * Describes the catalogue's own entry for a dataset. mobilityDCAT-AP requires one for each dataset.
 */
export function stateRecord(dataset: Dataset, { publicUrl }: Context): Resource | undefined {
  const { registered, updated } = dataset
  if (registered === null) return undefined
  const changed = updated !== null && updated > registered ? updated : registered
  return resource(`${addressOf(dataset)}#record`, 'dcat:CatalogRecord', {
    'foaf:primaryTopic': resource(addressOf(dataset)),
    'dct:created': text(registered, 'xsd:dateTime'),
    'dct:issued': text(registered, 'xsd:dateTime'),
    'dct:modified': text(changed, 'xsd:dateTime'),
    'dct:language': languagesOf(['de', 'it', 'en']),
    'dct:publisher': resource(publicUrl),
    'dct:conformsTo': resource('https://semiceu.github.io/DCAT-AP/releases/3.0.0/'),
  })
}

/** EPSG:4326, the coordinate reference system of the hub. */
const wgs84 = 'http://www.opengis.net/def/crs/EPSG/0/4326'

const addressOf = ({ links }: Dataset) => links['self'] ?? ''

function stateFrequency({ service, dataspace, freshness }: Dataset): Resource | undefined {
  const isWrittenByPushes = service !== 'content' || dataspace === 'mobility'
  return isWrittenByPushes ? frequencyOf(freshness?.period ?? null) : undefined
}

/**
 * Returns the regions under the IRIs of the Publications Office. They cover countries and all
 * smaller regions.
 */
export function stateRegion({ publication }: Pick<Context, 'publication'>): readonly Resource[] {
  return publication.region.map((code) => resource(`http://data.europa.eu/nuts/code/${code}`))
}

export function stateLocation(address: string, { west, south, east, north }: Extent): Resource {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const ring = corners.map((corner) => corner.join(' ')).join(',')
  const middle = [(west + east) / 2, (south + north) / 2].map((degrees) => degrees.toFixed(5))
  return resource(address, 'dct:Location', {
    'dcat:bbox': text(`POLYGON((${ring}))`, 'geosparql:wktLiteral'),
    'dcat:centroid': text(`POINT(${middle.join(' ')})`, 'geosparql:wktLiteral'),
  })
}

/** States how many series are as fresh as their period requires, and links to all of them. */
function stateQuality(dataset: Dataset): Resource | undefined {
  const { freshness, links } = dataset
  if (freshness === null) return undefined
  const [fresh, all] = [freshness.states['fresh'] ?? 0, freshness.series].map(String)
  return resource(`${addressOf(dataset)}#quality`, 'dqv:QualityAnnotation', {
    'oa:hasTarget': resource(addressOf(dataset), 'dcat:Dataset'),
    'oa:hasBody': resource(links['freshness'] ?? addressOf(dataset)),
    'oa:motivatedBy': resource('http://www.w3.org/ns/dqv#qualityAssessment'),
    'dct:description': texts({
      de: `${fresh} von ${all} Messreihen sind aktuell.`,
      it: `${fresh} serie su ${all} sono aggiornate.`,
      en: `${fresh} of ${all} series are up to date.`,
    }),
  })
}

type Licensed = { readonly publicUrl: string; readonly about: string }

/** States the licence if there is exactly one, and the names of all as a rights statement. */
export function stateLicences(
  names: readonly string[],
  { publicUrl, about }: Licensed,
): Statements {
  const found = new Map(
    names.map((name) => licenceOf(name, publicUrl)).map((one) => [one.iri, one] as const),
  )
  const isStated = names.length > 0
  return {
    'dct:license': found.size === 1 ? [...found.values()] : undefined,
    'dct:rights': resource(`${about}#rights`, 'dct:RightsStatement', {
      'dct:type': concept(
        'conditions-for-access-and-usage',
        isStated ? 'licence-provided' : 'other',
      ),
      'rdfs:label': isStated ? text(names.join(', ')) : undefined,
    }),
  }
}

type Way = {
  readonly iri: string
  readonly title: string
  readonly address: string
  readonly mediaType: string
  readonly stated: Statements
}

/** Returns the ways to download a whole dataset, each in one format or standard. */
export function waysOf(dataset: Dataset): readonly Way[] {
  return [...formatsOf(dataset), ...standardsOf(dataset)]
}

function stateDistributions(dataset: Dataset, context: Context): readonly Resource[] {
  const isHighValue = highValueOf(dataset, context) !== undefined
  const { publicUrl } = context
  return waysOf(dataset).map(({ iri, title, address, mediaType, stated }) =>
    resource(iri, 'dcat:Distribution', {
      'dct:title': text(title),
      'dct:description': texts({
        de: `Der ganze Datensatz: ${title}`,
        it: `L’intero dataset: ${title}`,
        en: `The whole dataset: ${title}`,
      }),
      'dcat:accessURL': resource(address),
      'dcat:downloadURL': resource(address),
      'dcat:mediaType': resource(`https://www.iana.org/assignments/media-types/${mediaType}`),
      'dct:format': fileTypeOf(mediaType),
      'dcat:accessService': resource(serviceOf(context)),
      'dcatap:applicableLegislation': isHighValue ? highValueRegulation : undefined,
      ...stateLicences(dataset.licences, { publicUrl, about: addressOf(dataset) }),
      ...stated,
    }),
  )
}

function formatsOf(dataset: Dataset): readonly Way[] {
  return dataset.formats.flatMap(({ name, mediaType }) => {
    const address = addressIn(dataset, name)
    if (address === undefined) return []
    return [{ iri: address, title: name, address, mediaType, stated: stateMobilityAccess(dataset) }]
  })
}

function addressIn({ service, links }: Dataset, format: string): string | undefined {
  if (service === 'timeseries') {
    const { latest } = links
    return latest === undefined ? undefined : `${latest}?limit=-1&format=${format}`
  }
  const { list } = links
  if (list === undefined || !streamedFormats.includes(format)) return undefined
  const separator = list.includes('?') ? '&' : '?'
  return `${list}${separator}stream=true&format=${format}`
}

function standardsOf(dataset: Dataset): readonly Way[] {
  return dataset.standards.map(({ name, version, url, mediaType }) => {
    const title = `${name} ${version}`
    const iri = `${addressOf(dataset)}#${encodeURIComponent(`${title} ${mediaType}`)}`
    const known = standardOf(name)
    const document = known?.document(version) ?? `${iri}-standard`
    const defined = resource(document, 'dct:Standard', {
      'dct:title': text(name),
      'owl:versionInfo': text(version),
    })
    const stated = {
      'dct:conformsTo': defined,
      ...stateMobilityAccess(dataset, known?.concept),
    }
    return { iri, title, address: url, mediaType, stated }
  })
}
