import { Type } from 'typebox'
import type { Static, TObject, TSchema } from 'typebox'
import { AppError } from '../errors/index.ts'
import { readQuery } from '../http/index.ts'
import { hintAt } from '../lang/index.ts'
import { fieldsOf } from '../lang/json.ts'
import { commaList } from '../lang/schemas.ts'
import type { Collection, ListedProperty } from './collection.ts'
import { longest } from './cql2/limits.ts'
import { referenceSystems } from './reference-systems.ts'

const formats = ['json', 'html'] as const

/** The parameter that every path accepts. */
export const formatParameter = {
  f: Type.Optional(
    Type.Enum([...formats], {
      description: 'Format of the response; takes precedence over the Accept header',
    }),
  ),
}

const systems = referenceSystems.map(({ uri }) => uri).join(', ')

const crs = (description: string) =>
  Type.Optional(Type.String({ maxLength: 200, description: `${description}: ${systems}` }))

/** Maximum number of features on a page. */
export const maxFeatures = 10_000

/** Parameters that select features of any collection, besides those for its properties. */
export const itemsParameters = {
  limit: Type.Integer({
    default: 10,
    minimum: 1,
    description: `Features of a page; more than ${String(maxFeatures)} is clamped`,
  }),
  bbox: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'West, south, east, north, in degrees or in bbox-crs; or six with heights',
    }),
  ),
  'bbox-crs': crs('The coordinate reference system of bbox'),
  datetime: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A moment or an interval with / (RFC 3339); .. is an open end, P7D a duration',
    }),
  ),
  crs: crs('The coordinate reference system of the answer'),
  filter: Type.Optional(Type.String({ maxLength: longest, description: 'A condition in CQL2' })),
  'filter-lang': Type.Optional(
    Type.Enum(['cql2-text', 'cql2-json'], { description: 'The encoding of filter' }),
  ),
  'filter-crs': crs('The coordinate reference system of geometries in filter'),
  properties: Type.Optional(
    commaList(Type.String({ maxLength: 500 }), {
      maxItems: 200,
      description: 'Only these properties',
    }),
  ),
  sortby: Type.Optional(
    commaList(Type.String({ maxLength: 500 }), {
      maxItems: 5,
      description: 'Properties to sort by, with - before those in descending order',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'From the next link of the page before' }),
  ),
  ...formatParameter,
}

export type ItemsQuery = Static<TObject<typeof itemsParameters>>

export const itemSchema = Type.Object({
  crs: itemsParameters.crs,
  properties: itemsParameters.properties,
  ...formatParameter,
})
export type ItemQuery = Static<typeof itemSchema>

type Raw = Readonly<Record<string, unknown>>

/**
 * Validates query parameters.
 * @throws AppError HUB-QRY-001 for invalid and for unknown parameters (17-069r4, 7.6)
 */
export function readStrictly(schema: TSchema, raw: unknown): Raw {
  const { values, ignored } = readQuery(schema, toRaw(raw))
  const [unknown] = ignored
  if (unknown === undefined) return values
  const known = Object.keys(fieldsOf(Reflect.get(schema, 'properties')))
  const detail = 'is not a parameter of this path'
  throw new AppError('HUB-QRY-001', `${unknown} ${detail}.`, {
    issues: [{ parameter: unknown, detail, expected: known, ...hintAt(unknown, known) }],
  })
}

function toRaw(query: unknown): Raw {
  return typeof query === 'object' && query !== null ? { ...query } : {}
}

/**
 * Returns the properties of a collection that are query parameters, too. Each selects the features
 * with that value.
 */
export function filterable({ properties }: Collection): readonly ListedProperty[] {
  const taken = new Set(Object.keys(itemsParameters).map((name) => name.toLowerCase()))
  // Deeper fields of records are available in `filter` only: there are hundreds.
  const isUsable = ({ name, type }: ListedProperty) =>
    type !== 'geometry' &&
    type !== 'any' &&
    (!name.includes('.') || name.startsWith('smetadata.')) &&
    !taken.has(name.toLowerCase())
  // Names of parameters are matched in any letter case, so of two names that differ only in case
  // the first one counts.
  const byName = Map.groupBy(properties.filter(isUsable), ({ name }) => name.toLowerCase())
  return [...byName.values()].flatMap(([first]) => first ?? [])
}

const schemas = new WeakMap<Collection, TSchema>()

/** Returns the schema of the parameters for the features of a collection. */
export function itemsSchema(collection: Collection): TSchema {
  const known = schemas.get(collection)
  if (known !== undefined) return known
  const own = filterable(collection).map(({ name, type, title }) => {
    const value = type === 'number' ? Type.Number() : Type.String({ maxLength: 500 })
    const schema = type === 'boolean' ? Type.Boolean() : value
    return [name, Type.Optional({ ...schema, description: title ?? `Features with this ${name}` })]
  })
  const schema = Type.Object({ ...itemsParameters, ...Object.fromEntries(own) })
  schemas.set(collection, schema)
  return schema
}

export function rejected(
  parameter: string,
  detail: string,
  expected?: readonly string[],
): AppError {
  return new AppError('HUB-QRY-001', `${parameter} ${detail}.`, {
    issues: [{ parameter, detail, ...(expected === undefined ? {} : { expected }) }],
  })
}
