import { toStreamRequest } from '../../dataset/query/to-requests.ts'
import type { ApiRequest, Dataset, DatasetQuery } from '../../dataset/query/index.ts'
import { fieldsOf } from './to-place.ts'

/** The request of what a map shows: ids, names and places as one stream of GeoJSON. */
export function placesRequest(dataset: Dataset, query: DatasetQuery, language: string): ApiRequest {
  // An order costs the hub time, and a map has none.
  const unordered = { ...query, sort: [] }
  return toStreamRequest(dataset, unordered, {
    format: 'geojson',
    fields: fieldsOf(dataset, language),
  })
}
