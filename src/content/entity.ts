import type { Static, TObject, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { Principal, Visibility } from '../access/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { AvailabilityProvider } from './availability/offers.ts'
import type { Deprecation } from './deprecations/table.ts'
import { toNaming } from './naming.ts'
import type { Naming } from './naming.ts'
import type { NearStations, Nearby } from './nearby/nearest.ts'
import type { Choice } from './presentation.ts'

/**
 * How closely the hub follows the interface: `strict` to the letter, `compatible` as clients of the
 * public system expect (decision D0).
 */
export type Profile = 'strict' | 'compatible'

/** A key of a sort order. */
export type OrderKey = {
  /** Identifies the key in cursors: the same name always denotes the same expression. */
  readonly name: string
  /** SQL for the value of a record, which cursors carry. */
  readonly value: Sql
  readonly type: 'text' | 'timestamptz' | 'double precision' | 'integer' | 'jsonb'
  /**
   * Derives the expression that is compared from the value of a record or of a cursor. By default
   * the value itself is compared. The result is never null.
   */
  readonly comparable?: (value: Sql) => Sql
  readonly direction: 'ascending' | 'descending'
}

/**
 * Letter case of an entity's identifiers (decision D31). Look-ups ignore case for `upper` and
 * `lower`.
 */
export type IdStyle = 'upper' | 'lower' | 'exact'

/** A column that PostgreSQL computes from `data`, for filters and orders that an index must serve. */
export type GeneratedColumn = {
  readonly type:
    | 'text'
    | 'boolean'
    | 'timestamptz'
    | 'double precision'
    | 'text[]'
    | 'tstzmultirange'
    | 'geography(Point, 4326)'
  readonly expression: Sql
  /**
   * Index that serves conditions on the column. All `set` columns of an entity share one index.
   * `none` is for columns that another index covers, or that are compared only once other
   * conditions have left few rows.
   */
  readonly index?: 'btree' | 'set' | 'gist' | 'none'
}

/** A query parameter of lists, with example values for its tests and its documentation. */
export type Parameter = {
  readonly name: string
  /**
   * Other accepted spellings of the name (decision D10). OpenAPI lists only the name as a
   * parameter.
   */
  readonly aliases?: readonly string[]
  readonly schema: TSchema
  /** Valid and invalid values, as text. */
  readonly examples: { readonly good: readonly string[]; readonly bad: readonly string[] }
  /** Query string of other parameters that this one requires, for trying the good examples. */
  readonly beside?: string
  /** How a user interface offers the parameter; undefined if it is for programs only. */
  readonly choice?: Choice | undefined
}

export type Query = Readonly<Record<string, unknown>>

/** What a filter may depend on besides its value. */
export type Scope = {
  readonly entity: Entity
  readonly query: Query
  readonly principal: Principal
  /** Current time. Without a clock, no day counts as past. */
  readonly now: (() => Date) | undefined
  /** IANA name of the time zone in which the days of stays start (decision D39). */
  readonly timeZone?: string | undefined
  readonly profile?: Profile
}

/** Where filters look up data, and with whose rights. */
export type References = {
  readonly database: Queryable
  readonly visibility: Visibility
  /** Whether a value that no record has is an error (decision D3). */
  readonly isStrict: boolean
  /** Source of free rooms. By default the stored availability. */
  readonly availability?: AvailabilityProvider | undefined
  /** Source of stations and their latest values. By default there are no stations. */
  readonly stations?: NearStations | undefined
}

/** A filter of a request: its canonical text, and the condition that holds for matching records. */
export type Clause = {
  readonly parameter: string
  readonly text: string
  readonly condition: Sql
  /**
   * The same condition, written so that PostgreSQL expects it to be true. If most records match,
   * the planner then reads them from an index in the order of the filter until the page is full.
   */
  readonly likely?: Sql
  /** Sort order that the filter implies, such as the distance for a circle. */
  readonly order?: readonly OrderKey[]
  /**
   * Whether the filter selects an area of the map. Such lists are never shuffled (decision D25).
   */
  readonly isGeographic?: boolean
  /** The condition with latitude and longitude swapped, for a hint about swapped axes. */
  readonly swapped?: Sql
  /**
   * The stations that matching records are near. Lists join them instead of using the condition,
   * because the distance sorts the records and the station is shown.
   */
  readonly nearby?: Nearby
  /** How to show records, for parameters that change their form instead of selecting them. */
  readonly rewrite?: Rewrite
  /**
   * Evaluates a filter that must consider all records that the other filters leave. The argument is
   * a statement that selects their identifiers. The response then contains all matches, regardless
   * of the page.
   */
  readonly narrow?: (records: Sql) => Promise<Narrowing>
}

/** The result of `Clause.narrow`, and how it shows in the response. */
export type Narrowing = {
  /** Condition that holds for the remaining records. */
  readonly condition: Sql
  readonly member: AddedField
  readonly envelope: Readonly<Record<string, unknown>>
  /** Identifies the state of the result, for entity tags. */
  readonly basis: string
}

/** A field that is added to records when they are read, regardless of `fields`. */
export type AddedField = {
  readonly name: string
  /** Returns the value for the record with this identifier, as JSON. */
  readonly textOf: (id: string) => string
}

type Members = Readonly<Record<string, unknown>>

type ToShown = (record: Members) => readonly Members[]

/**
 * Replaces each record by the records to show. If there is a `sortKey`, the shown records of a page
 * are sorted by it.
 */
export type Rewrite = {
  /**
   * Fields that a shown record may have although no stored record has them. Tables need all columns
   * before the first row.
   */
  readonly adds: readonly string[]
  readonly toShown: ToShown
  /**
   * Looks up data for the records of a page, and returns the function to use instead of `toShown`.
   */
  readonly load?: (records: readonly Members[]) => Promise<ToShown>
  readonly sortKey?: (shown: Members) => string
}

type Meaning = Omit<Clause, 'parameter'>

/** The clause that a value stands for, or a look-up that returns it. */
export type Reading = Meaning | ((references: References) => Promise<Meaning>)

/** A filter of lists, with one parameter or several that belong together. */
export type Filter = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Name of the flag that must be true for the parameters to have any effect. */
  readonly onlyWith?: string
  /** Parameters that disable the filter if all of them are given. */
  readonly notBeside?: readonly string[]
  /** Set if the filter has an effect even without any of its parameters. */
  readonly hasDefault?: true
  /**
   * Returns undefined if the request does not use the filter.
   * @throws AppError for an invalid value
   */
  readonly read: (scope: Scope) => Reading | undefined
}

type SingleFilter<Schema extends TSchema> = Parameter & {
  readonly schema: Schema
  readonly read: (value: Static<Schema>, scope: Scope) => Reading | undefined
}

/** Defines a filter with one parameter. */
export function filter<Schema extends TSchema>(definition: SingleFilter<Schema>): Filter {
  const { name, schema, read } = definition
  return {
    name,
    parameters: [definition],
    read: (scope) => {
      const value = scope.query[name]
      return value !== undefined && Check(schema, value) ? read(value, scope) : undefined
    },
  }
}

/** Schema of a record. Its `$id` is the name of the OpenAPI component. */
export type RecordSchema = TObject & { readonly $id: string }

/**
 * Definition of an entity of the content service. Its routes, table, OpenAPI schemas and writes are
 * derived from it.
 */
export type EntityDefinition = {
  /** Name in messages, datasets and operation ids, such as `WeatherDistrict`. */
  readonly name: string
  /** Path below `/v1` and prefix of its roles, such as `Weather/District`. By default the name. */
  readonly path?: string
  /**
   * `_Meta.Type`, and the table name in the schema `content`. By default the name in lower case.
   */
  readonly type?: string
  readonly summary: string
  readonly idStyle: IdStyle
  /** Paths of the titles that text search covers, with `*` for the language. */
  readonly titles: readonly string[]
  readonly schema: RecordSchema
  /** The names that carry the deployment's prefix (decision D10). */
  readonly naming?: Naming
  readonly columns?: Readonly<Record<string, GeneratedColumn>>
  /**
   * Filters in addition to those of every list. A filter with the name of a common one replaces it.
   */
  readonly filters?: readonly Filter[]
  /**
   * Filters whose parameters single reads accept, too. Only their effects on the shown record apply
   * there (`narrow`, `rewrite`); no record is excluded.
   */
  readonly itemFilters?: readonly Filter[]
  /** Columns of the default order; the identifier always follows (decision D4). */
  readonly order?: readonly string[]
  /**
   * Whether the compatible profile returns a bare array unless a page is requested (decision D20).
   */
  readonly isBareList?: boolean
  /**
   * Service whose access rules decide who sees a record (decision D60): `event` for a view of
   * mobility events.
   */
  readonly area?: 'content' | 'event'
  /**
   * Whether reading requires a token, with 401 otherwise (decisions D33, D34); `strict`: only in
   * that profile.
   */
  readonly needsToken?: boolean | 'strict'
  /** Fields that only callers with a token see (decision D34). */
  readonly closedFields?: readonly string[]
  /** Condition for the records of a view, which shows only part of the table. */
  readonly within?: Sql | undefined
  readonly furtherPaths?: readonly string[]
  /** Deprecated paths below `/v1` that still serve the lists and records. */
  readonly formerPaths?: readonly string[]
  /** Other spellings of the path that are not deprecated. */
  readonly aliasPaths?: readonly string[]
  /**
   * Letter case in which tags are stored. Look-ups are always case-sensitive (interface 2.3,
   * decision D27).
   */
  readonly tagCase?: 'lower' | 'any'
  /**
   * Fields that are computed when a record is read. Filters and sort orders see only stored fields.
   */
  readonly computedFields?: readonly string[]
}

/** A definition with its defaults filled in, and with its rows of the deprecation table. */
export type Entity = Required<EntityDefinition> & {
  /** Deprecated and removed fields, parameters and paths (interface 9). */
  readonly deprecations: readonly Deprecation[]
  /**
   * Fields that the interface has removed: accepted when sent, but never stored. A dot leads into
   * an object, or into every element of an array: `EventDate.GpsEast`.
   */
  readonly removedFields: readonly string[]
}

/** Completes a definition with the defaults that suit most entities. */
export function defineEntity(definition: EntityDefinition): Entity {
  return {
    path: definition.name,
    type: definition.name.toLowerCase(),
    naming: toNaming('Hub'),
    columns: {},
    filters: [],
    itemFilters: [],
    order: ['shortname'],
    isBareList: false,
    area: 'content',
    needsToken: false,
    closedFields: [],
    within: undefined,
    furtherPaths: [],
    formerPaths: [],
    aliasPaths: [],
    tagCase: 'lower',
    computedFields: [],
    ...definition,
    deprecations: [],
    removedFields: [],
  }
}
