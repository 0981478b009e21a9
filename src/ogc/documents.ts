import type { Collection, ListedProperty } from './collection.ts'
import { crs84, referenceSystems } from './reference-systems.ts'

export type Link = {
  readonly href: string
  readonly rel: string
  readonly type: string
  readonly title: string
}

/** Media types of the responses. */
export const types = {
  json: 'application/json',
  geojson: 'application/geo+json',
  html: 'text/html',
  schema: 'application/schema+json',
  openapi: 'application/vnd.oai.openapi+json;version=3.0',
} as const

/** The title of the hub and the URL of this interface. */
export type Site = {
  /** URL of the interface, including `/ogc`. */
  readonly root: string
  readonly title: string
}

/** The site, with the format of the document. */
export type Shown = Site & { readonly form: Form }

export type Form = 'json' | 'html'

/**
 * Returns links to the same URL as JSON and as HTML: `self` for the format of the response,
 * `alternate` for the other format.
 */
export function selfLinks(address: string, form: Form, json: string = types.json): readonly Link[] {
  const self = { rel: 'self', title: 'This document' }
  const alternate = { rel: 'alternate', title: 'This document in another format' }
  // JSON is the default, but a browser that follows a link from a page prefers HTML.
  const asJson = inForm(address, form === 'html' ? 'json' : undefined)
  return [
    { href: asJson, type: json, ...(form === 'json' ? self : alternate) },
    { href: inForm(address, 'html'), type: types.html, ...(form === 'html' ? self : alternate) },
  ]
}

/** Sets or removes the format `f` of a URL. */
export function inForm(address: string, f?: Form): string {
  const url = new URL(address)
  const named = [...url.searchParams.keys()].filter((name) => name.toLowerCase() === 'f')
  for (const name of named) url.searchParams.delete(name)
  if (f !== undefined) url.searchParams.set('f', f)
  return url.href
}

/** Returns a function that builds links to paths below a URL. */
const linksBelow =
  (address: string) =>
  (
    path: string,
    { rel, title, type = types.json }: Partial<Link> & Pick<Link, 'rel' | 'title'>,
  ): Link => ({
    href: `${address}${path}`,
    rel,
    type,
    title,
  })

export function toLandingPage({ root, title, form }: Shown): object {
  const link = linksBelow(root)
  const [definition, documentation] = [
    'The definition of this interface',
    'Documentation of this interface',
  ]
  return {
    title,
    description: 'Tourism, mobility and traffic as collections of features',
    links: [
      ...selfLinks(root, form),
      link('/api', { rel: 'service-desc', title: definition, type: types.openapi }),
      link('/api?f=html', { rel: 'service-doc', title: documentation, type: types.html }),
      link('/conformance', { rel: 'conformance', title: 'Conformance classes' }),
      link('/collections', { rel: 'data', title: 'Collections' }),
    ],
  }
}

const features = 'http://www.opengis.net/spec/ogcapi-features'
const cql2 = 'http://www.opengis.net/spec/cql2/1.0/conf'

const conformance: readonly string[] = [
  ...['core', 'oas30', 'html', 'geojson'].map((name) => `${features}-1/1.0/conf/${name}`),
  `${features}-2/1.0/conf/crs`,
  ...['queryables', 'filter', 'features-filter'].map((name) => `${features}-3/1.0/conf/${name}`),
  ...[
    ...['cql2-text', 'cql2-json', 'basic-cql2', 'advanced-comparison-operators'],
    ...['case-insensitive-comparison', 'accent-insensitive-comparison'],
    ...['basic-spatial-functions', 'basic-spatial-functions-plus', 'spatial-functions'],
    ...['temporal-functions', 'property-property'],
  ].map((name) => `${cql2}/${name}`),
]

export function toConformance({ root, form }: Shown): object {
  return { conformsTo: conformance, links: selfLinks(`${root}/conformance`, form) }
}

/**
 * Extent in degrees and ISO 8601. The box is null if no feature of the collection has a place, a
 * bound of the interval if it is open. Both bounds are null if no feature has a time.
 */
export type Extent = {
  readonly bbox: readonly number[] | null
  readonly interval: readonly [string | null, string | null]
}

/** A collection with the extent of its open features. */
export type Described = { readonly collection: Collection; readonly extent: Extent }

const everySystem = referenceSystems.map(({ uri }) => uri)

export function toCollections(site: Shown, collections: readonly object[]): object {
  return {
    links: selfLinks(`${site.root}/collections`, site.form),
    crs: everySystem,
    collections,
  }
}

export function toCollection(site: Shown, { collection, extent }: Described): object {
  const { id, title, description, timeOf } = collection
  return {
    id,
    title: title.en,
    description: `${description.en} datetime: ${timeOf}.`,
    itemType: 'feature',
    extent: extentOf(extent),
    crs: everySystem,
    storageCrs: crs84.uri,
    links: linksOf(site, collection),
  }
}

/** Formats an extent without its unknown parts. */
function extentOf({ bbox, interval }: Extent): object {
  const trs = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian'
  return {
    ...(bbox === null ? {} : { spatial: { bbox: [bbox], crs: crs84.uri } }),
    ...(interval.every((bound) => bound === null)
      ? {}
      : { temporal: { interval: [interval], trs } }),
  }
}

const queryables = 'http://www.opengis.net/def/rel/ogc/1.0/queryables'

function linksOf({ root, form }: Shown, { id, dataset }: Collection): readonly Link[] {
  const address = `${root}/collections/${encodeURIComponent(id)}`
  const link = linksBelow(address)
  const catalogue = root.replace(
    /\/ogc$/,
    `/catalogue/${dataset.replace(/[^/]+$/, encodeURIComponent)}`,
  )
  return [
    ...selfLinks(address, form),
    link('/items', { rel: 'items', title: 'The features', type: types.geojson }),
    link('/items?f=html', { rel: 'items', title: 'The features as HTML', type: types.html }),
    link('/queryables', { rel: queryables, title: 'Properties for filters', type: types.schema }),
    {
      href: catalogue,
      rel: 'describedby',
      title: 'The dataset in the catalogue',
      type: types.json,
    },
  ]
}

/** Describes the properties as JSON Schema (19-079r2, 6.2). */
export function toQueryables(site: Site, { id, title, properties }: Collection): object {
  const address = `${site.root}/collections/${encodeURIComponent(id)}/queryables`
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: address,
    type: 'object',
    title: title.en,
    properties: {
      geometry: { title: 'Geometry', 'x-ogc-role': 'primary-geometry', format: 'geometry-any' },
      ...Object.fromEntries(properties.map((property) => [property.name, schemaOf(property)])),
    },
    additionalProperties: true,
  }
}

function schemaOf({ name, type, title }: ListedProperty): object {
  const described = { title: title ?? name }
  switch (type) {
    case 'text':
      return { ...described, type: 'string' }
    case 'time':
      return { ...described, type: 'string', format: 'date-time' }
    case 'number':
    case 'boolean':
      return { ...described, type }
    case 'geometry':
      return { ...described, format: 'geometry-any' }
    case 'any':
      return described
  }
}
