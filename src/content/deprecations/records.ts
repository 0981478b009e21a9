import type { TSchema } from 'typebox'
import type { Entity } from '../entity.ts'
import type { Deprecation } from './deprecation.ts'
import { isSchema, stepInto, valueOfKeys } from './member-at.ts'

/** What `/v1/Deprecated` says of a deprecation (interface 2.8). */
type DeprecationRecord = {
  readonly Name: string
  readonly Type: string
  readonly Description: string
  readonly DeprecationDate: string
  readonly RemovedAfter: string
}

/** Deprecations under one name, as they are listed. */
export type Group = {
  readonly name: string
  /** The type that its records have, for entities. */
  readonly type: string | undefined
  readonly rows: readonly { readonly row: Deprecation; readonly record: DeprecationRecord }[]
}

type Listed = {
  readonly entities: readonly Entity[]
  /** Deprecated addresses that belong to no entity. */
  readonly routes: readonly Deprecation[]
  /** Whether the hub serves an address at all. */
  readonly isServed: (address: string) => boolean
}

/** Every deprecation of what this hub has, by the names of the entities, in their order. */
export function toGroups({ entities, routes, isServed }: Listed): readonly Group[] {
  const isListed = ({ kind, name }: Deprecation) => kind !== 'route' || isServed(name)
  const ofEntities = entities.map((entity) => ({
    name: entity.name,
    type: entity.type,
    rows: entity.deprecations
      .filter(isListed)
      .map((row) => ({ row, record: toRecord(row, typeOf(row, entity)) })),
  }))
  const others = Map.groupBy(routes.filter(isListed), ({ entity }) => entity)
  const ofNoEntity = [...others].map(([name, rows]) => ({
    name,
    type: undefined,
    rows: rows.map((row) => ({ row, record: toRecord(row, 'Route') })),
  }))
  return [...ofEntities, ...ofNoEntity].filter(({ rows }) => rows.length > 0)
}

function typeOf({ kind, name, type }: Deprecation, { schema }: Entity): string {
  if (type !== undefined) return type
  if (kind === 'route') return 'Route'
  return kind === 'parameter' ? 'Parameter' : typeNameAt(schema, name.split('.'))
}

function toRecord(row: Deprecation, type: string): DeprecationRecord {
  return {
    Name: row.name,
    Type: type,
    Description: row.description,
    DeprecationDate: row.deprecated,
    RemovedAfter: row.removedAfter,
  }
}

/** The type of a member in a word, such as `String` or `List<Object>`; `Any` where nothing is known. */
export function typeNameAt(schema: TSchema, path: readonly string[]): string {
  const [name, ...below] = path
  if (name === undefined) return typeNameOf(schema)
  const step = stepInto(schema, name)
  if (step === undefined) return 'Any'
  return typeNameAt(step.schema, step.isKey ? path : below)
}

function typeNameOf(schema: TSchema): string {
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) return `List<${typeNameOf(items)}>`
  const value = valueOfKeys(schema)
  if (value !== undefined) return `Map<${typeNameOf(value)}>`
  const types = [Reflect.get(schema, 'type')].flat().filter((type) => type !== 'null')
  return types.length === 1 ? capitalised(String(types[0])) : 'Any'
}

function capitalised(word: string): string {
  return word === '' || word === 'undefined'
    ? 'Any'
    : `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
