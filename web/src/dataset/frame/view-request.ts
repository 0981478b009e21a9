import { placesRequest } from '../../map/dataset/places-request.ts'
import { toListRequest, toValuesRequest } from '../query/to-requests.ts'
import type { ApiRequest, Dataset, DatasetQuery, Pane } from '../query/index.ts'

type Shown = {
  readonly panes: readonly Pane[]
  readonly fields: readonly string[]
  readonly pageSize: number
  /** Language of the texts. */
  readonly language: string
}

/**
 * Returns the requests behind the visible panes: only places if the map is alone, and latest values
 * in addition for stations.
 */
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

/** Maximum number of languages. More would only lengthen URLs. */
const most = 3

/**
 * Returns the languages in which texts are requested: the preferred one first, then fallbacks for
 * missing texts.
 * @param there languages that the dataset has
 */
export function wantedLanguages(
  wanted: string,
  ofPage: string,
  there: readonly string[],
): readonly string[] {
  const first = wanted === '' ? ofPage : wanted
  const others = [ofPage, 'en', 'de', 'it', ...there].filter(
    (one) => there.length === 0 || there.includes(one),
  )
  return [...new Set([first, ...others])].slice(0, most)
}
