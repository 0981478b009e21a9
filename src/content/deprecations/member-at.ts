import type { TSchema } from 'typebox'

/** The schema behind a name of a record's schema, and whether the name is a key of free text. */
type Step = { readonly schema: TSchema; readonly isKey: boolean }

/** One step into an object, through arrays around it. Nothing where the schema says nothing. */
export function stepInto(schema: TSchema, name: string): Step | undefined {
  const inner = withoutArrays(schema)
  const member = membersOf(inner)[name]
  if (member !== undefined) return { schema: member, isKey: false }
  const value = valueOfKeys(inner)
  return value === undefined ? undefined : { schema: value, isKey: true }
}

/** What the elements of arrays are. */
function withoutArrays(schema: TSchema): TSchema {
  const items: unknown = Reflect.get(schema, 'items')
  return isSchema(items) ? withoutArrays(items) : schema
}

/** The members that an object schema names. */
export function membersOf(schema: TSchema): Readonly<Record<string, TSchema>> {
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

/**
 * The member that a path of a request leads to, without the keys of languages and free text:
 * `AdditionalPoiInfos.de.MainType` is `AdditionalPoiInfos.MainType`.
 * @param names the names of the path, without steps into arrays
 * @returns every member on the way, the record's own first
 */
export function membersOnTheWay(schema: TSchema, names: readonly string[]): readonly string[] {
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
