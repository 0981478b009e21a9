import { toStreamRequest } from '../../dataset/query/to-requests.ts'
import type { ApiRequest, Dataset, DatasetQuery } from '../../dataset/query/index.ts'

/** Returns the fields that a map needs: the id and the name of a record. */
export function fieldsOf({ service, titleField }: Dataset, language: string): readonly string[] {
  if (service === 'timeseries') return ['scode', 'sname']
  return ['Id', titleField.replace('{language}', language), 'Shortname']
}

/** Builds the request for a map: ids, names and places as one stream of GeoJSON. */
export function placesRequest(dataset: Dataset, query: DatasetQuery, language: string): ApiRequest {
  // A map needs no order, and sorting costs the hub time.
  const unordered = { ...query, sort: [] }
  return toStreamRequest(dataset, unordered, {
    format: 'geojson',
    fields: fieldsOf(dataset, language),
  })
}
