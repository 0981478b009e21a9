import type { Principal, Visibility } from '../access/index.ts'
import type { InLanguages } from '../content/index.ts'
import type { Withheld } from '../http/index.ts'
import type { Sql } from '../sql/index.ts'

/** As what a value can be compared. */
export type Kind = 'text' | 'number' | 'boolean' | 'time'

/** A property by which features are filtered and put in order. */
export type Queryable = {
  readonly type: Kind | 'geometry' | 'any'
  /** Its value as such a one; null where it is none. */
  readonly as: (kind: Kind) => Sql
}

/** What the names of a filter stand for. */
export type Queryables = {
  readonly find: (name: string) => Queryable | undefined
  /** Those that are listed; others may be found as well. */
  readonly names: readonly string[]
  /** In WGS 84, longitude first. */
  readonly geometry: Sql
}

/** A listed property, for `/queryables` and OpenAPI. */
export type ListedProperty = {
  readonly name: string
  readonly type: Queryable['type']
  /** What people call it. */
  readonly title: string | null
}

/** Who reads, and in which language. */
export type Reader = {
  readonly principal: Principal
  readonly visibility: Visibility
  /** One of the hub's; undefined for all. */
  readonly language: string | undefined
}

/** What a reader sees of a collection: a table of features. */
export type View = {
  readonly from: Sql
  /** What the reader may see of it. */
  readonly where: Sql
  readonly queryables: Queryables
  /** When a feature is, for `datetime`; both null where it is at no time. */
  readonly time: { readonly from: Sql; readonly to: Sql }
  /** What is read of a feature, and how its properties are written from it: JSON text. */
  readonly columns: Sql
  readonly write: (read: string, id: string) => string
  readonly withheld: readonly Withheld[]
}

/** A collection of features (OGC 17-069r4). */
export type Collection = {
  readonly id: string
  readonly title: InLanguages
  readonly description: InLanguages
  /** Identifier in the catalogue. */
  readonly dataset: string
  /** Text that names a feature. */
  readonly key: Sql
  /** In WGS 84, longitude first; null where a feature is nowhere. */
  readonly geometry: Sql
  readonly timeOf: string
  readonly properties: readonly ListedProperty[]
  /** @param names of the properties to show; all where it is undefined @throws AppError for wrong ones */
  readonly viewFor: (reader: Reader, names?: readonly string[]) => View
  /** Prints the versions of the data. */
  readonly version: Sql
}
