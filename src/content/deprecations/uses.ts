import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { addLink } from '../../http/index.ts'
import type { Entity } from '../entity.ts'
import type { FieldPath } from '../representation.ts'
import { fieldsIn, parseRawFilter, toStoredField } from '../rawfilter/index.ts'
import type { Field } from '../rawfilter/index.ts'
import { parseRawSort } from '../rawsort.ts'
import { isSchema, stepInto, valueOfKeys } from '../schema-fields.ts'
import type { Day, Deprecation } from './table.ts'

/**
 * The field that a path of a request leads to, without the keys of languages and free text:
 * `AdditionalPoiInfos.de.MainType` is `AdditionalPoiInfos.MainType`.
 * @param names the names of the path, without steps into arrays
 * @returns every field on the way, the record's own first
 */
export function fieldsOnTheWay(schema: TSchema, names: readonly string[]): readonly string[] {
  const found: string[] = []
  let at = schema
  let path = ''
  for (const name of names) {
    const step = stepInto(at, name)
    if (step === undefined) break
    at = step.schema
    if (step.isKey) continue
    path = path === '' ? name : `${path}.${name}`
    found.push(path)
  }
  return found
}

/** A deprecation as `/v1/Deprecated` shows it (interface 2.8). */
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

/** Every deprecation of this hub, keyed by the names of the entities, in their order. */
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

/** The type of a field in a word, such as `String` or `List<Object>`; `Any` where nothing is known. */
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

/** What a request names, as far as it may name something deprecated. */
type Named = {
  readonly fields: readonly FieldPath[]
  readonly query: Readonly<Record<string, unknown>>
}

type Path = readonly string[]

/** Reports in the headers what the request uses of the deprecated. */
export function reportUses(
  reply: FastifyReply,
  { entity, publicUrl, ...named }: Named & { readonly entity: Entity; readonly publicUrl: string },
): void {
  reportDeprecated(reply, { uses: deprecatedUses(entity, named), publicUrl })
}

/** The deprecated fields and parameters that a request names; a request for whole records names none. */
export function deprecatedUses(entity: Entity, { fields, query }: Named): readonly Deprecation[] {
  const paths = [...fields.map(namesOf), ...pathsIn(entity, query)]
  if (paths.length === 0 && !entity.deprecations.some(({ name }) => name in query)) return []
  const members = new Set(paths.flatMap((path) => fieldsOnTheWay(entity.schema, path)))
  return entity.deprecations.filter(({ kind, name }) => {
    if (kind === 'member') return members.has(name)
    return kind === 'parameter' && query[name] !== undefined
  })
}

function namesOf({ steps }: FieldPath): Path {
  return steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
}

/** Fields in expressions; the plan has read them before, so they are known to be right. */
function pathsIn(entity: Entity, { rawfilter, rawsort }: Named['query']): readonly Path[] {
  const toPath = (field: Field) => toStoredField(field, { entity, naming: entity.naming }).names
  return [
    ...(typeof rawfilter === 'string' ? fieldsIn(parseRawFilter(rawfilter)) : []),
    ...(typeof rawsort === 'string' ? parseRawSort(rawsort).keys.map(({ field }) => field) : []),
  ].map(toPath)
}

/** Where the table can be read by people. */
const deprecationsPath = '/docs/deprecations'

const oneDay = 86_400_000
const mostLinks = 10

const startOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)

/** Anchor of a row on that page. */
export function anchorOf({ entity, name }: Deprecation): string {
  return `${entity}.${name}`.replaceAll(/[^\w.-]/g, '-')
}

/**
 * Sets the headers of a request that uses something deprecated: `Deprecation` since when (RFC 9745),
 * `Sunset` when the first of it may go (RFC 8594), and a link to what to use instead. Set before the
 * entity tag is compared: it belongs to 304 too.
 */
export function reportDeprecated(
  reply: FastifyReply,
  { uses, publicUrl }: { readonly uses: readonly Deprecation[]; readonly publicUrl: string },
): void {
  if (uses.length === 0) return
  const since = Math.min(...uses.map(({ deprecated }) => startOf(deprecated)))
  // Served until the end of that day.
  const until = Math.min(...uses.map(({ removedAfter }) => startOf(removedAfter) + oneDay))
  void reply.header('deprecation', `@${String(since / 1000)}`)
  void reply.header('sunset', new Date(until).toUTCString())
  for (const use of uses.slice(0, mostLinks)) {
    const target = `${publicUrl}${deprecationsPath}#${anchorOf(use)}`
    addLink(reply, { target, relation: 'deprecation' })
  }
}
