import type { TSchema } from 'typebox'

/** What a value is, as far as its schema says. */
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

/** Times are texts of a form with a year in it. */
function isTime(schema: TSchema): boolean {
  return String(Reflect.get(schema, 'pattern')).includes(String.raw`\d{4}-`)
}

/** Whether an object is keyed by language, and not by free text. */
export function isByLanguage(schema: TSchema): boolean {
  const description: unknown = Reflect.get(schema, 'description')
  return String(description).startsWith('Keyed by language')
}

/** The schema behind a name of a record's schema, and whether the name is a key of free text. */
type Step = { readonly schema: TSchema; readonly isKey: boolean }

/** One step into an object, through arrays around it. Nothing where the schema says nothing. */
export function stepInto(schema: TSchema, name: string): Step | undefined {
  const inner = withoutArrays(schema)
  const member = schemaFields(inner)[name]
  if (member !== undefined) return { schema: member, isKey: false }
  const value = valueOfKeys(inner)
  return value === undefined ? undefined : { schema: value, isKey: true }
}

/** What the elements of an array are. */
export function itemsOf(schema: TSchema): TSchema | undefined {
  const items: unknown = Reflect.get(schema, 'items')
  return isSchema(items) ? items : undefined
}

function withoutArrays(schema: TSchema): TSchema {
  const items = itemsOf(schema)
  return items === undefined ? schema : withoutArrays(items)
}

/** The fields that an object schema names. */
export function schemaFields(schema: TSchema): Readonly<Record<string, TSchema>> {
  const properties: unknown = Reflect.get(schema, 'properties')
  if (typeof properties !== 'object' || properties === null) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) =>
      isSchema(member) ? [[name, member]] : [],
    ),
  )
}

/** What stands behind every key of an object that is keyed by language or free text. */
export function valueOfKeys(schema: TSchema): TSchema | undefined {
  const patterns: unknown = Reflect.get(schema, 'patternProperties')
  if (typeof patterns !== 'object' || patterns === null) return undefined
  return Object.values(patterns).find(isSchema)
}

export function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null
}
