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

/** The requests that make what is seen: of a map alone its places, of stations their latest values too. */
export function viewRequests(
  dataset: Dataset,
  query: DatasetQuery,
  { panes, fields, pageSize, language }: Shown,
): readonly [ApiRequest, ...ApiRequest[]] {
  if (panes.length === 1 && panes[0] === 'map') {
    return [placesRequest(dataset, query, language)]
  }
  const list = toListRequest(dataset, query, {
    ...{ page: 0, size: pageSize },
    ...(dataset.service === 'content' ? { fields } : {}),
  })
  return dataset.service === 'content' ? [list] : [list, toValuesRequest(dataset, query)]
}
