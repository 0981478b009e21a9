import { placesRequest } from '../../map/dataset/places-request.ts'
import { toListRequest, toValuesRequest } from '../query/to-requests.ts'
import type { ApiRequest, Dataset, DatasetQuery, Pane } from '../query/index.ts'

type Shown = {
  readonly panes: readonly Pane[]
  readonly fields: readonly string[]
  readonly pageSize: number
  /** Of the texts. */
  readonly language: string
}

/** The request that makes what is seen: of a map alone its places, of chosen data types their values. */
export function viewRequest(
  dataset: Dataset,
  query: DatasetQuery,
  { panes, fields, pageSize, language }: Shown,
): ApiRequest {
  if (panes.length === 1 && panes[0] === 'map') return placesRequest(dataset, query, language)
  if (dataset.service === 'content')
    return toListRequest(dataset, query, { page: 0, size: pageSize, fields })
  return query.dataTypes.length > 0
    ? toValuesRequest(dataset, query)
    : toListRequest(dataset, query, { page: 0, size: pageSize })
}
