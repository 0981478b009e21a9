import type { TSchema } from 'typebox'
import { isSchema, membersOf, valueOfKeys } from '../deprecations/index.ts'
import type { Entity } from '../entity.ts'

export type MemberType = 'text' | 'number' | 'boolean' | 'time' | 'object' | 'any'

/** A member of the records of an entity, as `fields`, `rawfilter` and `rawsort` name it. */
export type Member = {
  /** `[*]` is each element of an array; `{language}` and `{key}` are to be replaced. */
  readonly path: string
  readonly type: MemberType
  readonly description: string | null
  /** Whether a record may have several values. */
  readonly isList: boolean
  readonly canFilter: boolean
  readonly canSort: boolean
  /** Whether only callers with a token see it. */
  readonly takesToken: boolean
  readonly deprecated: Deprecated | null
}

export type Deprecated = {
  /** yyyy-MM-dd */
  readonly since: string
  /** It is served until this day at least. */
  readonly removedAfter: string
  readonly description: string
  /** The path that has the same value. */
  readonly replacement: string | null
}

/** Deeper members are read with the object that holds them. */
const deepest = 6

/** Every member that the schema of an entity names, in its order. */
export function listMembers(entity: Entity): readonly Member[] {
  return below(entity.schema, { entity, path: '', names: [], depth: 0, isList: false })
}

type Place = {
  readonly entity: Entity
  readonly path: string
  /** Without keys and steps into arrays, as the table of deprecations has it. */
  readonly names: readonly string[]
  readonly depth: number
  readonly isList: boolean
  readonly deprecated?: Deprecated | null
}

function below(schema: TSchema, place: Place): readonly Member[] {
  if (place.depth >= deepest) return []
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) {
    return below(items, { ...place, path: `${place.path}.[*]`, isList: true })
  }
  const value = valueOfKeys(schema)
  if (value !== undefined) {
    const description: unknown = Reflect.get(schema, 'description')
    const key = String(description).startsWith('Keyed by language') ? '{language}' : '{key}'
    return at(value, { ...place, path: `${place.path}.${key}`, depth: place.depth + 1 })
  }
  return Object.entries(membersOf(schema)).flatMap(([name, member]) =>
    at(member, {
      ...place,
      path: place.path === '' ? name : `${place.path}.${name}`,
      names: [...place.names, name],
      depth: place.depth + 1,
    }),
  )
}

/** A member and what is in it. */
function at(schema: TSchema, place: Place): readonly Member[] {
  const deprecated = deprecationAt(place) ?? place.deprecated ?? null
  const inside = below(schema, { ...place, deprecated })
  return [toMember(schema, { ...place, deprecated }), ...inside]
}

function toMember(schema: TSchema, { entity, path, names, isList, deprecated }: Place): Member {
  const items: unknown = Reflect.get(schema, 'items')
  const type = typeOf(isSchema(items) ? items : schema)
  const several = isList || isSchema(items)
  const [first = ''] = names
  const isStored = !entity.computedMembers.includes(first) && first !== 'Self'
  const own: unknown = Reflect.get(schema, 'description')
  return {
    path: isSchema(items) ? `${path}.[*]` : path,
    type,
    description: typeof own === 'string' ? own : null,
    isList: several,
    canFilter: isStored,
    canSort: isStored && !several && type !== 'object' && type !== 'any',
    takesToken: entity.closedMembers.includes(first),
    deprecated: deprecated ?? null,
  }
}

function typeOf(schema: TSchema): MemberType {
  const types: readonly unknown[] = [Reflect.get(schema, 'type')].flat()
  const [type, ...others] = types.filter((one) => one !== 'null')
  if (others.length > 0) return 'any'
  switch (type) {
    case 'string':
      return isTime(schema) ? 'time' : 'text'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'object':
      return type
    default:
      return 'any'
  }
}

/** Times are texts of a form that begins with a year. */
function isTime(schema: TSchema): boolean {
  return String(Reflect.get(schema, 'pattern')).startsWith(String.raw`^\d{4}-`)
}

function deprecationAt({ entity, names }: Place): Deprecated | undefined {
  const name = names.join('.')
  const row = entity.deprecations.find(
    (one) => one.kind === 'member' && one.state === 'deprecated' && one.name === name,
  )
  if (row === undefined) return undefined
  const { deprecated: since, removedAfter, description, copyOf = null } = row
  return { since, removedAfter, description, replacement: copyOf }
}
