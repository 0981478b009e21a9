import type { Area } from './area.ts'
import type { How } from '../../address/index.ts'

/** The subject of a view: an entity of the content service, or a station type. */
export type Dataset = {
  readonly service: 'content' | 'timeseries'
  /** Name in URLs: `Accommodation`, `ParkingStation`. */
  readonly type: string
  /**
   * Path of the list of all records, from the catalogue: `/v1/Weather/Forecast`,
   * `/v2/flat,node/ParkingStation`.
   */
  readonly list: string
  /** Path of the field that holds the title of a record. */
  readonly titleField: string
}

/** Panes that can be shown side by side; on small screens one at a time. */
export const panes = ['table', 'map', 'groups', 'raw'] as const

export type Pane = (typeof panes)[number]

/** A field to sort by. */
export type SortKey = { readonly path: string; readonly descending: boolean }

/** All choices of the user in a dataset view, stored in the URL. */
export type DatasetQuery = {
  readonly search: string
  readonly tags: readonly string[]
  /** Whether a record must have all of the tags, or any of them. */
  readonly tagMode: 'any' | 'all'
  /** Languages that a record must have, all of them. */
  readonly languages: readonly string[]
  /** Sources of content, or origins of stations. */
  readonly sources: readonly string[]
  readonly licences: readonly string[]
  readonly active: 'any' | 'yes' | 'no'
  readonly area: Area | undefined
  /** `rawfilter` for content, `where` for stations. */
  readonly expression: string
  /** For stations: data types whose latest values are shown. Empty selects all. */
  readonly dataTypes: readonly string[]
  /**
   * Further parameters of the list that only some entities have, by name: `begindate`,
   * `typefilter`.
   */
  readonly parameters: Readonly<Record<string, string>>
  readonly sort: readonly SortKey[]
  /** Paths of the shown fields. Empty selects the default columns. */
  readonly columns: readonly string[]
  /** Language of the texts. Empty selects the language of the page. */
  readonly texts: string
  /** Panes shown side by side on wide screens. */
  readonly panes: readonly Pane[]
  /** The pane shown on narrow screens. */
  readonly pane: Pane
  /** Id of the selected record, or code of the selected station. */
  readonly selected: string | undefined
}

/** The query without any filter or choice. */
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

/** Properties that select records. The others only affect how records are shown. */
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

/** Returns the query with all filters removed. */
export function withoutFilters(query: DatasetQuery): DatasetQuery {
  const none = Object.fromEntries(filterNames.map((name) => [name, everything[name]]))
  return { ...query, ...none }
}

/** Returns the number of active filters: each tag, language, source and licence counts. */
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

/** A change of the query: the changed properties, and when. */
export type Step = { readonly names: string; readonly at: number }

/** Properties that change gradually, by typing, nudging or dragging. */
const gradual: readonly (keyof DatasetQuery)[] = ['search', 'area', 'expression', 'parameters']

/** Changes within this time, in milliseconds, continue the previous one. */
const pause = 3000

/** Decides whether a change adds a history entry or continues the previous one. */
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
