import { version2 } from '../../../src/datex/index.ts'
import { all, readXml } from './xml-tree.ts'
import type { Tree } from './xml-tree.ts'

/** A member of a type as defined in the schema file itself. */
export type SchemaMember = {
  readonly name: string
  readonly type: string
  readonly min: number
  readonly max: number
}

type SchemaType = {
  readonly abstract: boolean
  readonly parent: string | undefined
  readonly members: readonly SchemaMember[]
}

/** Reads all complex types of the schema file, independently of our tables. */
export function readTypes(xsd: string): ReadonlyMap<string, SchemaType> {
  const types = all(readXml(xsd), 'complexType')
  return new Map(types.map((type) => [type.attributes['name'] ?? '', toType(type)]))
}

function toType(type: Tree): SchemaType {
  const [extension] = all(type, 'complexContent/extension')
  return {
    abstract: type.attributes['abstract'] === 'true',
    parent: extension && local(extension.attributes['base']),
    members: all(extension ?? type, 'sequence/element').map(toMember),
  }
}

function toMember({ attributes }: Tree): SchemaMember {
  const { name = '', type, minOccurs = '1', maxOccurs = '1' } = attributes
  const max = maxOccurs === 'unbounded' ? Infinity : Number(maxOccurs)
  return { name, type: local(type), min: Number(minOccurs), max }
}

function local(qualified = ''): string {
  return qualified.replace(/^.*:/, '')
}

/** Returns the members of a type, including all inherited ones. */
export function membersOf(
  name: string,
  types: ReadonlyMap<string, SchemaType>,
): readonly SchemaMember[] {
  const type = types.get(name)
  if (type === undefined) throw new Error(`The schema has no type ${name}.`)
  return [...(type.parent === undefined ? [] : membersOf(type.parent, types)), ...type.members]
}

/**
 * Creates a value for every member of a type of our tables, except those that events determine
 * themselves.
 */
export function everything(typeName: string, depth = 0): Readonly<Record<string, unknown>> {
  const type = version2.types.get(typeName)
  const members = type?.members.filter(({ name }) => !decidedByEvents.has(name)) ?? []
  const attributes = type?.attributes.map(([name, rule]) => [name, rule === 'index' ? 1 : 'a'] as const)
  const values = members
    .filter(({ min }) => depth < 8 || min > 0)
    .map(({ name, type: memberType, max }) => {
      const value = valueOf(memberType, depth + 1)
      return [name, max > 1 ? [value, value] : value] as const
    })
  return Object.fromEntries([...(attributes ?? []), ...values])
}

const decidedByEvents = new Set([
  'situationRecordCreationTime',
  'situationRecordVersionTime',
  'generalPublicComment',
  'groupOfLocations',
  'management',
])

const samples: Readonly<Record<string, unknown>> = {
  String: 'text',
  Boolean: false,
  DateTime: '2026-06-01T00:00:00Z',
  Time: '06:00:00',
  Language: 'de-AT',
  Url: 'https://example.org/a?b=c#d',
  MultilingualString: { de: 'eins', it: 'uno' },
}

function valueOf(typeName: string, depth: number): unknown {
  const [enumerated] = version2.enumerations.get(typeName) ?? []
  const type = version2.types.get(typeName)
  if (type === undefined) return enumerated ?? samples[typeName] ?? 7
  if (!type.abstract) return everything(typeName, depth)
  const concrete = [...version2.types.values()].find(
    ({ abstract, ancestors }) => !abstract && ancestors.includes(typeName),
  )
  return { type: concrete?.name, ...everything(concrete?.name ?? '', depth) }
}
