import type { TSchema } from 'typebox'

/** Type of a value according to its schema; `any` if the schema does not determine it. */
export type MemberType = 'text' | 'number' | 'boolean' | 'time' | 'object' | 'any'

export function typeOf(schema: TSchema): MemberType {
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

/** Reports whether a text is a date or time: then its pattern contains a year. */
function isTime(schema: TSchema): boolean {
  return String(Reflect.get(schema, 'pattern')).includes(String.raw`\d{4}-`)
}

/**
 * Reports whether an object is keyed by language and not by free text. Its description states so.
 */
export function isByLanguage(schema: TSchema): boolean {
  const description: unknown = Reflect.get(schema, 'description')
  return String(description).startsWith('Keyed by language')
}

/**
 * The schema of a named value, and whether the name is a key, such as a language, and not a field.
 */
type Step = { readonly schema: TSchema; readonly isKey: boolean }

/**
 * Steps into an object by name, through any arrays around it. Undefined if the schema has nothing
 * there.
 */
export function stepInto(schema: TSchema, name: string): Step | undefined {
  const inner = withoutArrays(schema)
  const member = schemaFields(inner)[name]
  if (member !== undefined) return { schema: member, isKey: false }
  const value = valueOfKeys(inner)
  return value === undefined ? undefined : { schema: value, isKey: true }
}

/** Returns the schema of an array's elements; undefined for other schemas. */
export function itemsOf(schema: TSchema): TSchema | undefined {
  const items: unknown = Reflect.get(schema, 'items')
  return isSchema(items) ? items : undefined
}

function withoutArrays(schema: TSchema): TSchema {
  const items = itemsOf(schema)
  return items === undefined ? schema : withoutArrays(items)
}

/** Returns the named fields of an object schema; empty for other schemas. */
export function schemaFields(schema: TSchema): Readonly<Record<string, TSchema>> {
  const properties: unknown = Reflect.get(schema, 'properties')
  if (typeof properties !== 'object' || properties === null) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) =>
      isSchema(member) ? [[name, member]] : [],
    ),
  )
}

/**
 * Returns the schema of the values of an object that is keyed by language or free text; undefined
 * for other schemas.
 */
export function valueOfKeys(schema: TSchema): TSchema | undefined {
  const patterns: unknown = Reflect.get(schema, 'patternProperties')
  if (typeof patterns !== 'object' || patterns === null) return undefined
  return Object.values(patterns).find(isSchema)
}

export function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null
}
