import type { Area } from './area.ts'
import type { How } from '../../address/index.ts'

/** What a view is of: an entity of the content service, or a type of stations. */
export type Dataset = {
  readonly service: 'content' | 'timeseries'
  /** `Accommodation`, `ParkingStation`: as it stands in addresses. */
  readonly type: string
  /** Where all of its records are, as the catalogue says: `/v1/Weather/Forecast`, `/v2/flat,node/ParkingStation`. */
  readonly list: string
  /** Path of the member that names a record. */
  readonly titleField: string
}

/** What can stand beside each other; on small screens one of them at a time. */
export const panes = ['table', 'map', 'groups', 'raw'] as const

export type Pane = (typeof panes)[number]

/** A member to sort by. */
export type SortKey = { readonly path: string; readonly descending: boolean }

/** Everything that a person has chosen of a dataset. All of it stands in the address. */
export type DatasetQuery = {
  readonly search: string
  readonly tags: readonly string[]
  /** Whether a record needs all of the tags, or any of them. */
  readonly tagMode: 'any' | 'all'
  /** Languages, all of which a record has. */
  readonly languages: readonly string[]
  /** Sources of content, origins of stations. */
  readonly sources: readonly string[]
  readonly licences: readonly string[]
  readonly active: 'any' | 'yes' | 'no'
  readonly area: Area | undefined
  /** `rawfilter` of content, `where` of stations. */
  readonly expression: string
  /** Of stations: the data types whose latest values are shown. None: all. */
  readonly dataTypes: readonly string[]
  /** Further parameters of the list that only some entities have, by their name: `begindate`, `typefilter`. */
  readonly parameters: Readonly<Record<string, string>>
  readonly sort: readonly SortKey[]
  /** Paths of the members that are shown; none: those that suit the dataset. */
  readonly columns: readonly string[]
  /** Language of the texts; empty: that of the page. */
  readonly texts: string
  /** What stands side by side where there is room. */
  readonly panes: readonly Pane[]
  /** What is shown where there is no room. */
  readonly pane: Pane
  /** Id of the chosen record, or code of the station. */
  readonly selected: string | undefined
}

/** The query that chooses everything and nothing in particular. */
export const everything: DatasetQuery = {
  search: '',
  tags: [],
  tagMode: 'any',
  languages: [],
  sources: [],
  licences: [],
  active: 'any',
  area: undefined,
  expression: '',
  dataTypes: [],
  parameters: {},
  sort: [],
  columns: [],
  texts: '',
  panes: ['table', 'map'],
  pane: 'table',
  selected: undefined,
}

/** The part of a query that says which records there are; the rest says how they are shown. */
export const filterNames = [
  'search',
  'tags',
  'tagMode',
  'languages',
  'sources',
  'licences',
  'active',
  'area',
  'expression',
  'dataTypes',
  'parameters',
] as const satisfies readonly (keyof DatasetQuery)[]

/** The same query with no filter at all. */
export function withoutFilters(query: DatasetQuery): DatasetQuery {
  const none = Object.fromEntries(filterNames.map((name) => [name, everything[name]]))
  return { ...query, ...none }
}

/** How many filters are set: each tag, language, source and licence counts. */
export function countFilters(query: DatasetQuery): number {
  const lists = [query.tags, query.languages, query.sources, query.licences, query.dataTypes]
  const single = [
    query.search !== '',
    query.active !== 'any',
    query.area !== undefined,
    query.expression !== '',
  ]
  return (
    lists.reduce((sum, list) => sum + list.length, 0) +
    single.filter(Boolean).length +
    Object.keys(query.parameters).length
  )
}

/** A change of the query, and when it was made. */
export type Step = { readonly names: string; readonly at: number }

/** What is typed, nudged or dragged comes in many small changes. */
const gradual: readonly (keyof DatasetQuery)[] = ['search', 'area', 'expression', 'parameters']

/** Milliseconds within which somebody still types. */
const pause = 3000

/** Whether a change is a step that one can go back from, or goes on with the one before. */
export function nextStep(
  before: Step | undefined,
  changed: Partial<DatasetQuery>,
  now: number,
): { readonly step: Step; readonly how: How } {
  const names = Object.keys(changed).join()
  const goesOn =
    before?.names === names && now - before.at < pause && gradual.some((name) => name === names)
  return { step: { names, at: now }, how: goesOn ? 'replace' : 'push' }
}
