import { toStreamRequest } from '../../dataset/query/to-requests.ts'
import type { ApiRequest, Dataset, DatasetQuery } from '../../dataset/query/index.ts'

/** The members that a map needs of a record: nothing but its id and its name. */
export function fieldsOf({ service, titleField }: Dataset, language: string): readonly string[] {
  if (service === 'timeseries') return ['scode', 'sname']
  return ['Id', titleField.replace('{language}', language), 'Shortname']
}

/** The request of what a map shows: ids, names and places as one stream of GeoJSON. */
export function placesRequest(dataset: Dataset, query: DatasetQuery, language: string): ApiRequest {
  // An order costs the hub time, and a map has none.
  const unordered = { ...query, sort: [] }
  return toStreamRequest(dataset, unordered, {
    format: 'geojson',
    fields: fieldsOf(dataset, language),
  })
}
