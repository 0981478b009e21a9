import { toNode } from '../content/index.ts'
import { description, waysOf } from './dcat/index.ts'
import type { Dataset } from './schemas.ts'

type Language = keyof Dataset['title']

type Publisher = {
  readonly publicUrl: string
  /** Name of the hub. */
  readonly title: string
  readonly language: Language
}

/** Returns the ways to download a whole dataset; none if that requires a token. */
export function downloadsOf(dataset: Dataset) {
  return dataset.count === null ? [] : waysOf(dataset)
}

/**
 * Describes a dataset in the vocabulary of schema.org for search engines. Other portals read DCAT.
 */
export function toSchemaDataset(dataset: Dataset, publisher: Publisher): object {
  const { id, links, licences, extent, dataTypes, languages } = dataset
  const { publicUrl, title, language } = publisher
  return {
    '@context': vocabulary,
    ...toNode('Dataset', {
      '@id': links['self'],
      url: links['page'],
      identifier: id,
      name: dataset.title[language],
      description: dataset.description[language],
      keywords: [dataset.dataspace, dataset.type],
      dateModified: dataset.updated,
      inLanguage: languages,
      license: licences.map((name) => toNode('CreativeWork', { name })),
      variableMeasured: dataTypes.map((type) => type.id),
      spatialCoverage: extent === null ? undefined : toNode('Place', { geo: toBox(extent) }),
      publisher: toNode('Organization', { name: title, url: `${publicUrl}/` }),
      includedInDataCatalog: toNode('DataCatalog', {
        '@id': `${publicUrl}/catalogue`,
        name: title,
      }),
      distribution: downloadsOf(dataset).map(({ title: name, mediaType, address }) =>
        toNode('DataDownload', { name, contentUrl: address, encodingFormat: mediaType }),
      ),
    }),
  }
}

/** Returns the corners in the order of schema.org: latitude before longitude. */
function toBox({ west, south, east, north }: NonNullable<Dataset['extent']>) {
  return toNode('GeoShape', { box: [south, west, north, east].join(' ') })
}

/** Lists all datasets. Each is described on a page of its own. */
export function toSchemaCatalogue(
  datasets: Iterable<Dataset>,
  { publicUrl, title, language }: Publisher,
): object {
  return {
    '@context': vocabulary,
    ...toNode('DataCatalog', {
      '@id': `${publicUrl}/catalogue`,
      url: `${publicUrl}/`,
      name: title,
      description: description[language],
      publisher: toNode('Organization', { name: title, url: `${publicUrl}/` }),
      dataset: [...datasets].map((dataset) =>
        toNode('Dataset', {
          '@id': dataset.links['self'],
          url: dataset.links['page'],
          name: dataset.title[language],
        }),
      ),
    }),
  }
}

/** Returns the description of the hub as a whole, in one sentence. */
export const describeCatalogue = (language: Language): string => description[language]

const vocabulary = 'https://schema.org'
