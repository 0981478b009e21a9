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

/** To the letter of the interface, or as clients of the public system expect (decision D0). */
export type Profile = 'strict' | 'compatible'

/** One thing that records are ordered by. */
export type OrderKey = {
  /** What the key is, as a cursor names it: the same name always means the same expression. */
  readonly name: string
  /** The value of a record that a cursor carries. */
  readonly value: Sql
  readonly type: 'text' | 'timestamptz' | 'double precision' | 'integer' | 'jsonb'
  /**
   * What is compared, made of the value of a record or of that of a cursor; the value itself where it
   * is absent. It is never null.
   */
  readonly comparable?: (value: Sql) => Sql
  readonly direction: 'ascending' | 'descending'
}

/** How identifiers of an entity are spelt (decision D31); a look-up ignores case for the first two. */
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
   * How conditions on the column are found. Sets (`set`) of one entity share an index; `none` is for
   * columns that are only compared after others have made the choice small.
   */
  readonly index?: 'btree' | 'set' | 'gist' | 'none'
}

/** A query parameter of lists: what it is called, what it takes, and what a test tries on it. */
export type Parameter = {
  readonly name: string
  /** Further spellings that are taken (decision D10); OpenAPI shows the name only. */
  readonly aliases?: readonly string[]
  readonly schema: TSchema
  /** Values as they stand in a query string. */
  readonly examples: { readonly good: readonly string[]; readonly bad: readonly string[] }
  /** Other parameters without which this one says nothing, for the good examples. */
  readonly beside?: string
  /** How people choose by it. */
  readonly choice?: Choice | undefined
}

export type Query = Readonly<Record<string, unknown>>

/** What a filter may depend on besides its value. */
export type Scope = {
  readonly entity: Entity
  readonly query: Query
  readonly principal: Principal
  /** Without a clock no day counts as past. */
  readonly now: (() => Date) | undefined
  /** IANA name of the zone in which days of stays begin (decision D39). */
  readonly timeZone?: string | undefined
  /** To the letter of the interface, or as clients of the public system expect (decision D0). */
  readonly profile?: Profile
}

/** Where look-ups are made, and with whose rights. */
export type References = {
  readonly database: Queryable
  readonly visibility: Visibility
  /** Whether what nobody has is an error (decision D3). */
  readonly isStrict: boolean
  /** Who knows free rooms; absent: what is stored. */
  readonly availability?: AvailabilityProvider | undefined
  /** Who knows stations and their latest values; absent: there are none. */
  readonly stations?: NearStations | undefined
}

/** A filter that was given: its canonical text, and the condition that holds for matching records. */
export type Clause = {
  readonly parameter: string
  readonly text: string
  readonly condition: Sql
  /**
   * The same condition, written so that PostgreSQL expects it to hold: where most records match, it then
   * takes them from an index in the order that the filter brings, until a page is full.
   */
  readonly likely?: Sql
  /** The order that the filter brings with it: distance for a circle. */
  readonly order?: readonly OrderKey[]
  /** Whether it is a place on the map; then nothing is shuffled (decision D25). */
  readonly isGeographic?: boolean
  /** The condition of a place on the map, with latitude and longitude swapped. */
  readonly swapped?: Sql
  /**
   * What the records are near. Lists then read it with the records, in place of the condition: the
   * distance orders them, and the station is shown.
   */
  readonly nearby?: Nearby
  /** How records are to be shown, for parameters that choose none. */
  readonly rewrite?: Rewrite
  /**
   * For what can only be found out about all records together that the other filters leave: it is given
   * a statement that selects their identifiers. Then the answer contains all matches, regardless of the page.
   */
  readonly narrow?: (records: Sql) => Promise<Narrowing>
}

/** What was found out, and how it shows in the answer. */
export type Narrowing = {
  /** What holds for the records that are left. */
  readonly condition: Sql
  readonly member: AddedField
  readonly envelope: Readonly<Record<string, unknown>>
  /** Identifies the state of what was found out, for entity tags. */
  readonly basis: string
}

/** A field that records get when they are read, regardless of `fields`. */
export type AddedField = {
  readonly name: string
  /** Its value for a record, as JSON. */
  readonly textOf: (id: string) => string
}

type Members = Readonly<Record<string, unknown>>

type ToShown = (record: Members) => readonly Members[]

/** What is shown in the place of each record, and the text by which a page is put in order then. */
export type Rewrite = {
  /** Fields that a shown record may have though none is stored with them: tables need their columns first. */
  readonly adds: readonly string[]
  readonly toShown: ToShown
  /** Looks up what the records of a page need; what it gives takes the place of `toShown`. */
  readonly load?: (records: readonly Members[]) => Promise<ToShown>
  readonly sortKey?: (shown: Members) => string
}

type Meaning = Omit<Clause, 'parameter'>

/** What a value means, or a look-up for it. */
export type Reading = Meaning | ((references: References) => Promise<Meaning>)

/** One filter of a list: one parameter, or several that mean something together. */
export type Filter = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** The flag without which its parameters mean nothing. */
  readonly onlyWith?: string
  /** The parameters that take its effect away where all of them are given. */
  readonly notBeside?: readonly string[]
  /** For a filter that means something without any of its parameters, too. */
  readonly hasDefault?: true
  /** Nothing when the request does not use the filter. @throws AppError for a value it cannot take */
  readonly read: (scope: Scope) => Reading | undefined
}

type SingleFilter<Schema extends TSchema> = Parameter & {
  readonly schema: Schema
  readonly read: (value: Static<Schema>, scope: Scope) => Reading | undefined
}

/** A filter with one parameter. */
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

/** What one entity of the content service is. Routes, table, OpenAPI and writes follow from it. */
export type EntityDefinition = {
  /** Name in messages, datasets and operation ids, such as `WeatherDistrict`. */
  readonly name: string
  /** Path below `/v1` and prefix of its roles, such as `Weather/District`; mostly the name. */
  readonly path?: string
  /** `_Meta.Type`, and table in the schema `content`; mostly the name in lower case. */
  readonly type?: string
  readonly summary: string
  readonly idStyle: IdStyle
  /** Where the titles stand, `*` for the language: what text search looks through. */
  readonly titles: readonly string[]
  readonly schema: RecordSchema
  /** The names that carry the deployment's prefix (decision D10). */
  readonly naming?: Naming
  readonly columns?: Readonly<Record<string, GeneratedColumn>>
  /** Filters beside those that every list has; one with the name of such a filter replaces it. */
  readonly filters?: readonly Filter[]
  /** Filters whose parameters single reads take too, for what they find out (`narrow`). */
  readonly itemFilters?: readonly Filter[]
  /** Columns of the default order; the identifier always follows (decision D4). */
  readonly order?: readonly string[]
  /** Whether the compatible profile answers a bare array unless a page is requested (decision D20). */
  readonly isBareList?: boolean
  /** Whose rules decide who sees a record (decision D60): `event` for a view of mobility events. */
  readonly area?: 'content' | 'event'
  /** Whether even reading takes a token: 401 without one (decisions D33, D34); `strict`: in that profile. */
  readonly needsToken?: boolean | 'strict'
  /** Fields that only callers with a token see (decision D34). */
  readonly closedFields?: readonly string[]
  /** For a view: which of the records it has. */
  readonly within?: Sql | undefined
  readonly furtherPaths?: readonly string[]
  /** Paths below `/v1` under which lists and records are read as well, though deprecated. */
  readonly formerPaths?: readonly string[]
  /** Further spellings of the path, which are not worse. */
  readonly aliasPaths?: readonly string[]
  /** Letter case in which tags are stored; a look-up is exact in any case (interface 2.3, decision D27). */
  readonly tagCase?: 'lower' | 'any'
  /** Fields that are made when a record is read; filters and orders know only what is stored. */
  readonly computedFields?: readonly string[]
}

/** A definition, completed, with what the table of deprecations says about it. */
export type Entity = Required<EntityDefinition> & {
  /** Fields, parameters and addresses that are on their way out (interface 9). */
  readonly deprecations: readonly Deprecation[]
  /**
   * Fields that the interface has removed: taken when sent, never stored. A dot leads into an
   * object, or into every element of an array: `EventDate.GpsEast`.
   */
  readonly removedFields: readonly string[]
}

/** Completes a definition with what is the same for most entities. */
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
