import type { InLanguages } from '../content/index.ts'
import type { Tally } from '../tally/index.ts'
import type { Extent, Freshness, Miniature } from './schemas.ts'

type Service = 'content' | 'timeseries' | 'traffic'

/** Who may read the counted data: everybody, or only callers with a token or role some or all of it. */
export type DatasetAccess = 'open' | 'partly' | 'closed'

/** What stands in the catalogue of a dataset, without what is drawn of it. */
export type Described = {
  readonly id: string
  readonly service: Service
  readonly type: string
  readonly dataspace: string
  readonly title: InLanguages
  readonly description: InLanguages
  /** Path of the field that names a record, with `{language}` where it has several texts. */
  readonly titleField: string
  /** Null where the caller may not read the list. */
  readonly count: number | null
  /** ISO 8601. */
  readonly updated: string | null
  readonly freshness: Freshness | null
  readonly access: DatasetAccess
  readonly licences: readonly string[]
  readonly sources: readonly string[]
  readonly languages: readonly string[]
  readonly tags: readonly Counted[]
  readonly dataTypes: readonly Counted[]
  readonly formats: readonly { readonly name: string; readonly mediaType: string }[]
  /** By their `operationId` in the OpenAPI document. */
  readonly operations: readonly string[]
  readonly links: Readonly<Record<string, string>>
}

export type Counted = { readonly id: string; readonly count: number }

/** Where the records of a dataset lie, and when they changed: what a miniature is drawn from. */
export type Traces = {
  /** By cell, as `x y`. */
  readonly cells: Tally
  readonly months: Tally
  /** What of the cells everybody may know. */
  readonly openCells: Tally
  readonly values: Values
}

/** Which values are in use, and how often: what filters are offered from. */
export type Values = {
  readonly tags: Tally
  readonly languages: Tally
  readonly sources: Tally
  readonly licences: Tally
  /** Series by data type. */
  readonly dataTypes: Tally
}

/** A dataset that is yet to be drawn. */
export type Drawable = { readonly described: Described; readonly traces: Traces }

export type Dataset = Described & {
  /** Where nearly all of the records lie. */
  readonly extent: Extent | null
  readonly miniature: Miniature | null
}

/** Numbers objects in the order in which they are met; who forgets them is not kept from doing so. */
export function numbering(): (thing: object) => number {
  const known = new WeakMap<object, number>()
  let last = 0
  return (thing) => {
    const number = known.get(thing) ?? (last += 1)
    known.set(thing, number)
    return number
  }
}
