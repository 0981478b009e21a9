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

/** More would make addresses long, for texts that nobody reads. */
const most = 3

/**
 * The languages in which texts are requested, the wanted one first; the others stand in where it is missing.
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
