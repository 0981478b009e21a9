import type { Dataset } from '../dataset.ts'
import { fileTypeOf, licenceOf, mediaTypeOf } from './vocabulary.ts'

/** Formats in which all records of a list come at once. */
const whole = ['json', 'csv', 'geojson', 'ndjson']

/** Ways to have the whole of a dataset, each in one format. */
export function toDistributions(dataset: Dataset, service: string): readonly object[] {
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
        'dcat:mediaType': { '@id': mediaTypeOf(mediaType) },
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
