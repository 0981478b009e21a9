import { Type } from 'typebox'
import type { Static } from 'typebox'
import { exactly } from '../../lang/schemas.ts'
import { readYaml } from '../../lang/read-yaml.ts'
import { activityViewsOf } from '../entities/activity-views.ts'
import type { Naming } from '../naming.ts'

/** Day as `yyyy-MM-dd`. */
export type Day = string

/**
 * Field, parameter or route of the content service that is deprecated or removed (interface 3, 9).
 */
export type Deprecation = {
  readonly kind: 'member' | 'parameter' | 'route'
  /** Name of the entity; `*` for every entity that has a field of this name. */
  readonly entity: string
  /**
   * For a field its path: a dot leads into an object, through every element of an array, and
   * through the keys of an object keyed by language or free text. For a route its URL path.
   */
  readonly name: string
  /** Deprecated items are still served; removed ones are neither stored nor served. */
  readonly state: 'deprecated' | 'removed'
  /** What to use instead, and anything else worth knowing. */
  readonly description: string
  /** Type of a removed field, which no schema describes any more. */
  readonly type?: string
  /** Path of the field that holds the same value, from which the hub copies it. */
  readonly copyOf?: string
  readonly deprecated: Day
  readonly removedAfter: Day
}

/**
 * When this hub announced the deprecations of interface 9, and until when it serves them at least.
 */
const announced = {
  state: 'deprecated',
  deprecated: '2026-11-20',
  removedAfter: '2027-12-31',
} as const

/**
 * State of what interface 9.1 lists as removed: it was gone before this hub was first published.
 */
const gone = { state: 'removed', deprecated: '2025-11-20', removedAfter: '2026-11-19' } as const

const names = Type.Array(Type.String())
const pairs = Type.Record(Type.String(), Type.String())
const lists = Type.Record(Type.String(), names)

const step = Type.Partial(
  exactly({
    ...{ replaced: lists, moved: pairs, into: lists, obsolete: names, removed: pairs },
    ...{ parameters: pairs, routes: pairs },
  }),
)

const table = readYaml(
  new URL('table.yaml', import.meta.url),
  Type.Record(Type.String(), Type.Array(step)),
)

type Row = Omit<Deprecation, 'entity'>

function rowsOf(given: Static<typeof step>): readonly Row[] {
  const { replaced = {}, moved = {}, into = {}, obsolete = [] } = given
  const { removed = {}, parameters = {}, routes = {} } = given
  const member = { kind: 'member', ...announced } as const
  const copy = (name: string, path: string): Row => ({
    ...{ name, copyOf: path, description: `Use ${path}` },
    ...member,
  })
  return [
    ...Object.entries(replaced).flatMap(([replacement, names]) =>
      names.map((name) => ({ name, description: `Use ${replacement}`, ...member })),
    ),
    ...Object.entries(moved).map(([name, path]) => copy(name, path)),
    ...Object.entries(into).flatMap(([object, names]) =>
      names.map((name) => copy(name, `${object}.${name}`)),
    ),
    ...obsolete.map((name) => ({ name, description: 'Obsolete', ...member })),
    ...Object.entries(removed).map(([name, type]) => ({
      ...({ kind: 'member', name, type, ...gone } as const),
      description: 'Removed: accepted when sent, but not stored',
    })),
    ...Object.entries(parameters).map(([name, replacement]) => ({
      ...({ kind: 'parameter', name, ...announced } as const),
      description: `Use ${replacement}`,
    })),
    ...Object.entries(routes).map(([name, description]) => ({
      ...({ kind: 'route', name, description, ...announced } as const),
    })),
  ]
}

/**
 * Returns every deprecated and removed field, parameter and route. This is the single source for
 * the annotations in OpenAPI, `/v1/Deprecated`, the fields that are not stored, the response
 * headers, and the copies that the hub makes.
 */
export function deprecationsOf(naming: Naming): readonly Deprecation[] {
  const spellings: Readonly<Record<string, string>> = naming
  const spelt = (name: string) =>
    name.replace(/\{(\w+)\}/g, (_, key: string) => spellings[key] ?? key)
  const rows = Object.entries(table).flatMap(([entity, steps]) =>
    steps.flatMap(rowsOf).map((row) => ({ ...row, entity: spelt(entity), name: spelt(row.name) })),
  )
  // Served in the compatible profile only.
  const views = activityViewsOf(naming).map(({ path }) => ({
    ...({ kind: 'route', entity: naming.activityPoi, name: `/v1/${path}`, ...announced } as const),
    description: `Use /v1/${naming.activityPoi}`,
  }))
  return [...rows, ...views]
}

/**
 * Returns the fields of activities and points of interest that have moved into an object of
 * `AdditionalProperties`.
 */
export function fieldsMovedInto(object: string): readonly string[] {
  const steps = table['{activityPoi}'] ?? []
  return steps.flatMap(({ into = {} }) => into[`AdditionalProperties.${object}`] ?? [])
}
