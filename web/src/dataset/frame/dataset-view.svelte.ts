import { MediaQuery } from 'svelte/reactivity'
import { language } from '../../language/index.ts'
import { fieldsOf, usualWidth } from '../columns/column.ts'
import type { Column } from '../columns/column.ts'
import { chooseColumns, columnsOf, labelOf } from '../columns/columns-of.ts'
import type { DatasetDetails } from '../dataset-details.ts'
import { bindQuery } from '../query/index.ts'
import type { BoundQuery, Dataset, Pane } from '../query/index.ts'
import { loadRecords } from '../records/records.svelte.ts'
import { viewRequests, wantedLanguages } from './view-request.ts'

/** Input of a dataset view. */
type Source = {
  readonly dataset: Dataset
  readonly details: DatasetDetails
  readonly name: string
}

/** A column with its heading in the language of the page. */
export type NamedColumn = Column & { readonly name: string }

const pageSize = 100

/**
 * Creates the state that the parts of a dataset view share: query, columns, records and their
 * requests.
 */
export function datasetView(source: () => Source) {
  const query = bindQuery()
  const columns = shownColumns(source, query)
  const { dataset, fields, languages } = $derived({ ...source(), ...columns.now })
  const records = loadRecords(() => ({ dataset, query: query.records, fields, pageSize }))
  // Narrow screens have room for one pane only.
  const isNarrow = new MediaQuery('(max-width: 60rem)')
  const panes = $derived<readonly Pane[]>(
    isNarrow.current ? [query.current.pane] : query.current.panes,
  )
  const requests = $derived(
    viewRequests(dataset, query.records, {
      ...{ panes, fields, pageSize, language: languages[0] ?? language.current },
    }),
  )
  const now = $derived({
    ...{ ...source(), ...columns.now, panes, requests, isNarrow: isNarrow.current },
  })
  let range = $state.raw<readonly [number, number]>([0, 0])
  return {
    ...{ query, records, setWidth: columns.setWidth },
    get now() {
      return now
    },
    /** Index of the first and the last visible row. */
    get range() {
      return range
    },
    /** The visible page of records, and the index of its first record. */
    get page() {
      const first = Math.floor(range[0] / pageSize) * pageSize
      return { page: records.pageOf(first), first }
    },
    see: (first: number, last: number) => {
      records.see(first, last)
      range = [first, last]
    },
  }
}

export type DatasetView = ReturnType<typeof datasetView>

/** Derives the shown columns, their widths, and the fields to request for them. */
function shownColumns(source: () => Source, query: BoundQuery) {
  const { dataset, details } = $derived(source())
  const texts = $derived(query.current.texts)
  /** Languages of the texts: the preferred one first, then the fallbacks. */
  const languages = $derived(wantedLanguages(texts, language.current, details.entry.languages))
  const all = $derived<readonly NamedColumn[]>(
    columnsOf(dataset, details).map((one) => ({ ...one, name: labelOf(one, language.current) })),
  )
  // Compared as text, so that a new URL with the same columns does not redraw them.
  const chosen = $derived(query.current.columns.join())
  const columns = $derived(chooseColumns(all, chosen === '' ? [] : chosen.split(',')))
  const fields = $derived.by(() => {
    const members = columns.flatMap((column) => fieldsOf(column, languages))
    const named = new Set([dataset.service === 'content' ? 'Id' : 'scode', ...members])
    return [...named].filter((field) => field !== '')
  })
  let changed = $state.raw<ReadonlyMap<string, number>>(new Map())
  /** Widths in pixels. */
  const widths = $derived(columns.map((one) => changed.get(one.path) ?? usualWidth(one)))
  const now = $derived({ languages, all, columns, fields, widths })
  return {
    get now() {
      return now
    },
    setWidth: ({ path }: Column, width: number) => {
      changed = new Map(changed).set(path, Math.max(48, Math.min(800, Math.round(width))))
    },
  }
}
