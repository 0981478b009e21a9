import type { Principal, Visibility } from '../access/index.ts'
import type { InLanguages } from '../content/index.ts'
import type { Withheld } from '../http/index.ts'
import type { Sql } from '../sql/index.ts'

/** Types as which values can be compared. */
export type Kind = 'text' | 'number' | 'boolean' | 'time'

/** A property by which features can be filtered and sorted. */
export type Queryable = {
  readonly type: Kind | 'geometry' | 'any'
  /** Returns SQL for the value as this kind; null if it is not of this kind. */
  readonly as: (kind: Kind) => Sql
}

/** The properties that a filter can name. */
export type Queryables = {
  readonly find: (name: string) => Queryable | undefined
  /** Listed names. `find` may accept other names as well. */
  readonly names: readonly string[]
  /** Geometry of a feature in WGS 84, longitude first. */
  readonly geometry: Sql
}

/** A listed property, for `/queryables` and OpenAPI. */
export type ListedProperty = {
  readonly name: string
  readonly type: Queryable['type']
  /** Label for people. */
  readonly title: string | null
}

/** The rights of the caller, and the language of the response. */
export type Reader = {
  readonly principal: Principal
  readonly visibility: Visibility
  /** One of the hub's languages, or undefined for all. */
  readonly language: string | undefined
}

/** The part of a collection that a reader sees, as a table of features. */
export type View = {
  readonly from: Sql
  /** Condition that leaves only features that the reader may see. */
  readonly where: Sql
  readonly queryables: Queryables
  /** Start and end of a feature for `datetime`. Both are null if it has no time. */
  readonly time: { readonly from: Sql; readonly to: Sql }
  /**
   * Columns to read of a feature, and the function that prints its properties from them as JSON.
   */
  readonly columns: Sql
  readonly write: (read: string, id: string) => string
  readonly withheld: readonly Withheld[]
}

/** A collection of features (OGC 17-069r4). */
export type Collection = {
  readonly id: string
  readonly title: InLanguages
  readonly description: InLanguages
  /** Identifier of the dataset in the catalogue. */
  readonly dataset: string
  /** SQL for the text that identifies a feature. */
  readonly key: Sql
  /** Geometry in WGS 84, longitude first; null if the feature has no place. */
  readonly geometry: Sql
  readonly timeOf: string
  readonly properties: readonly ListedProperty[]
  /**
   * Returns the collection as this reader sees it.
   * @param names properties to show; undefined for all
   * @throws AppError for invalid names
   */
  readonly viewFor: (reader: Reader, names?: readonly string[]) => View
  /** SQL that prints the versions of the data. */
  readonly version: Sql
}
