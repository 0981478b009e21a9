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

/** What a view is made for. */
type Source = {
  readonly dataset: Dataset
  readonly details: DatasetDetails
  readonly name: string
}

/** A column with its name in the language of the page. */
export type NamedColumn = Column & { readonly name: string }

const pageSize = 100

/** Everything that the parts of a view share: what is chosen, which columns, the records, and their requests. */
export function datasetView(source: () => Source) {
  const query = bindQuery()
  const columns = shownColumns(source, query)
  const { dataset, fields, languages } = $derived({ ...source(), ...columns.now })
  const records = loadRecords(() => ({ dataset, query: query.records, fields, pageSize }))
  // Else there is room for one pane only.
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
    /** First and last row in sight. */
    get range() {
      return range
    },
    /** The page of records in sight, and the number of its first one. */
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

/** The columns that are shown of all there can be, how wide, and what has to be requested for them. */
function shownColumns(source: () => Source, query: BoundQuery) {
  const { dataset, details } = $derived(source())
  const texts = $derived(query.current.texts)
  /** The wanted language of texts, and those that stand in where it is missing. */
  const languages = $derived(wantedLanguages(texts, language.current, details.entry.languages))
  const all = $derived<readonly NamedColumn[]>(
    columnsOf(dataset, details).map((one) => ({ ...one, name: labelOf(one, language.current) })),
  )
  // Another address with the same columns is no reason to draw them anew.
  const chosen = $derived(query.current.columns.join())
  const columns = $derived(chooseColumns(all, chosen === '' ? [] : chosen.split(',')))
  const fields = $derived.by(() => {
    const members = columns.flatMap((column) => fieldsOf(column, languages))
    const named = new Set([dataset.service === 'content' ? 'Id' : 'scode', ...members])
    return [...named].filter((field) => field !== '')
  })
  let changed = $state.raw<ReadonlyMap<string, number>>(new Map())
  /** In pixels. */
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
