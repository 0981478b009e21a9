import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'

/** A record with one invalid field, and the pointer to it. */
export type WrongRecord = { readonly record: object; readonly pointer: string }

const schemaShape = Type.Object({
  type: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  enum: Type.Optional(Type.Array(Type.Unknown())),
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  patternProperties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  items: Type.Optional(Type.Unknown()),
  required: Type.Optional(Type.Array(Type.String())),
})

/** The part of JSON Schema that the schemas of records use. */
type Schema = Static<typeof schemaShape>

/**
 * Creates, for every field of a record at every depth, a record in which only that field has a
 * value of another type. Fields that accept any type are left out.
 */
export function wrongRecordsOf(schema: unknown): readonly WrongRecord[] {
  if (!Check(schemaShape, schema)) return []
  return childrenOf(schema).flatMap(([name, child, wrap]) => {
    const wrong = Check(schemaShape, child) ? wrongValueOf(child) : undefined
    const own = wrong === undefined ? [] : [{ record: wrap(wrong), pointer: `/${name}` }]
    const below = wrongRecordsOf(child).map(({ record, pointer }) => ({
      record: wrap(record),
      pointer: `/${name}${pointer}`,
    }))
    return [...own, ...below]
  })
}

type Child = readonly [name: string, child: unknown, wrap: (value: unknown) => object]

function childrenOf(schema: Schema): readonly Child[] {
  const { properties = {}, patternProperties = {}, items } = schema
  const keyed = Object.values(patternProperties).map((child) => ['de', child] as const)
  const named = [...Object.entries(properties), ...keyed].map(([name, child]): Child => [
    name,
    child,
    (value) => ({ ...requiredOf(schema), [name]: value }),
  ])
  const first: Child = ['0', items, (value) => [value]]
  return items === undefined ? named : [...named, first]
}

/**
 * Returns the required members of an object, an id or the type of a geometry, without which it
 * would have another error.
 */
function requiredOf({ required = [] }: Schema): object {
  const filling = { Id: 'x', type: 'Point' }
  return Object.fromEntries(Object.entries(filling).filter(([name]) => required.includes(name)))
}

const candidates = new Map<string, unknown>([
  ['string', 'wrong'],
  ['number', 5.5],
  ['boolean', true],
  ['object', {}],
  ['array', []],
])

function wrongValueOf({ type, enum: allowed }: Schema): unknown {
  if (allowed !== undefined) return 'not one of these'
  const types = [type ?? []].flat()
  if (types.length === 0) return undefined
  const isAllowed = (name: string) =>
    types.includes(name) || (name === 'number' && types.includes('integer'))
  return [...candidates].find(([name]) => !isAllowed(name))?.[1]
}
