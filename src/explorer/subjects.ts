import {
  describeCatalogue,
  downloadsOf,
  toSchemaCatalogue,
  toSchemaDataset,
} from '../catalogue/index.ts'
import type { Dataset } from '../catalogue/index.ts'
import type { PublicRecords } from '../content/index.ts'
import { textOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { Subject } from './page-head.ts'
import type { pagePaths } from './page-paths.ts'
import type { Explorer } from './schema.ts'

/** The public data of this hub. */
export type PublicData = {
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>
  readonly records: PublicRecords
}

type Looking = PublicData & {
  readonly site: Pick<Explorer, 'publicUrl' | 'title'>
  readonly language: string | undefined
}

/**
 * Finds the subject of a page.
 * @returns undefined if it does not exist or is not public
 */
export type FindSubject = (parts: Members, looking: Looking) => Promise<Subject | undefined>

/** Subjects of pages, by path. All other pages are views of everything. */
export const subjects: ReadonlyMap<string, FindSubject> = new Map<
  keyof typeof pagePaths,
  FindSubject
>([
  ['/', findHub],
  ['/datasets/content/:entity', ({ entity }, looking) => findDataset(looking, 'content', entity)],
  ['/datasets/timeseries/:type', ({ type }, looking) => findDataset(looking, 'timeseries', type)],
  [
    '/datasets/traffic/:provider',
    ({ provider }, looking) => findDataset(looking, 'traffic', provider),
  ],
  [
    '/records/:entity/:id',
    ({ entity, id }, looking) => findRecord(looking, String(entity), String(id)),
  ],
])

function publisherOf({ site, language }: Looking) {
  const known = language === 'de' || language === 'it' ? language : 'en'
  return { ...site, language: known } as const
}

const catalogueWords = { de: 'Katalog', it: 'Catalogo', en: 'Catalogue' }

async function findHub(_parts: Members, looking: Looking): Promise<Subject> {
  const publisher = publisherOf(looking)
  const { publicUrl, language } = publisher
  const address = `${publicUrl}/catalogue`
  const datasets = await looking.datasets()
  return {
    address: `${publicUrl}/`,
    title: catalogueWords[language],
    description: describeCatalogue(language),
    forms: formsOf(address),
    linked: toSchemaCatalogue(datasets.values(), publisher),
  }
}

/** Formats in which the catalogue, or its description of a dataset, is available at a URL. */
const formsOf = (address: string): Subject['forms'] => [
  { mediaType: 'application/json', address },
  { mediaType: 'application/ld+json', address: `${address}?format=json-ld` },
  { mediaType: 'text/turtle', address: `${address}?format=turtle` },
  { mediaType: 'application/rdf+xml', address: `${address}?format=rdf-xml` },
]

async function findDataset(
  looking: Looking,
  service: string,
  type: unknown,
): Promise<Subject | undefined> {
  const dataset = (await looking.datasets()).get(`${service}/${String(type)}`)
  const { self, page } = dataset?.links ?? {}
  if (dataset === undefined || self === undefined || page === undefined) return undefined
  const publisher = publisherOf(looking)
  return {
    address: page,
    title: textOf(dataset.title[publisher.language]) ?? dataset.type,
    description: dataset.description[publisher.language],
    forms: [...formsOf(self), ...downloadsOf(dataset)],
    linked: toSchemaDataset(dataset, publisher),
  }
}

async function findRecord(
  { records, site, language }: Looking,
  type: string,
  id: string,
): Promise<Subject | undefined> {
  const record = await records.load({ type, id, language })
  if (record === undefined) return undefined
  const [first = {}] = record.nodes
  return {
    address: recordPage(site.publicUrl, type, record.id),
    title: textOf(first['name']) ?? record.id,
    description: textOf(first['description']),
    image: record.image,
    forms: record.forms,
    linked: joined(withinRoom(record.nodes)),
  }
}

/** Returns the URL of the page of a record. */
export function recordPage(publicUrl: string, type: string, id: string): string {
  return `${publicUrl}/records/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
}

/** Joins the nodes of a record. An event has one node for each of its dates. */
function joined(nodes: readonly object[]): object | undefined {
  const [first, ...others] = nodes
  const context = { '@context': 'https://schema.org' }
  if (first === undefined) return undefined
  return others.length === 0 ? { ...context, ...first } : { ...context, '@graph': nodes }
}

/**
 * Maximum length of the linked data in a page, in characters. It is complete at the URL of the
 * record.
 */
const room = 65_536

function withinRoom(nodes: readonly object[]): readonly object[] {
  let left = room
  return nodes.filter((node) => (left -= JSON.stringify(node).length) >= 0)
}
