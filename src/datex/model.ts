import { isNumeric, restrict, toMemberOf, toSimpleText } from './values.ts'
import type { Convert, SimpleSpec } from './values.ts'
import type { Form } from './xml.ts'

/**
 * A complex type of a DATEX II schema, as `scripts/datex-schema.ts` prints it.
 * A field is its type with a quantifier as in regular expressions: none (exactly one), `?`, `*`, `+`,
 * `{min,max}`. The order of fields is the order of the schema.
 */
export type TypeSpec = {
  /** The type whose fields come first. */
  readonly parent?: string
  /** An abstract type is written as one of its descendants, named by `xsi:type`. */
  readonly abstract?: boolean
  /** Whether the whole schema, more than this part of it, derives other types from it. */
  readonly derived?: boolean
  /** Attributes: `text`, `language`, `index` (a whole number), or `=…` for a fixed value; `?` if optional. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, string>>
}

/** Part of a DATEX II schema, as `scripts/datex-schema.ts` prints it. */
export type Schema = {
  readonly types: Readonly<Record<string, TypeSpec>>
  /** The values of each enumeration in the order of the schema. */
  readonly enumerations: Readonly<Record<string, readonly string[]>>
  /** Simple types that restrict another one further. */
  readonly simple?: Readonly<Record<string, SimpleSpec>>
  /** By prefix, where names have them. */
  readonly namespaces?: Readonly<Record<string, string>>
}

/** By type and field, such as `Accident.accidentType`: the least that can be stated. */
export type Fallbacks = Readonly<Record<string, unknown>>

/** One element inside a complex type. */
export type Member = {
  readonly name: string
  /** The same with the prefix of the type that declares it. */
  readonly element: string
  readonly key: string
  readonly type: string
  readonly min: number
  readonly max: number
  /** Written when a required field is missing or wrong. */
  readonly fallback: unknown
}

/** A complex type with everything it inherits, in the order of the schema. */
export type ComplexType = {
  readonly name: string
  readonly abstract: boolean
  /** Whether the whole schema derives other types from it, so that values name theirs. */
  readonly derived: boolean
  readonly ancestors: readonly string[]
  readonly attributes: readonly (readonly [name: string, rule: string])[]
  readonly members: readonly Member[]
  /** All names that a value of this type may use. */
  readonly names: ReadonlySet<string>
}

const quantifiers: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '': [1, 1],
  '?': [0, 1],
  '*': [0, Infinity],
  '+': [1, Infinity],
}

/** `DayEnum{0,7}` → type, least and greatest number. */
function parseQuantity(text: string): Pick<Member, 'type' | 'min' | 'max'> {
  const [, type = '', quantifier = '', least = '', most = ''] =
    /^([\w:]+)(\?|\*|\+|\{(\d+),(\d*)\})?$/.exec(text) ?? []
  const [min, max] = quantifiers[quantifier] ?? [Number(least), Number(most || Infinity)]
  return { type, min, max }
}

/** What a required enumeration of v3 is extended with where nothing is known. */
const unknown = 'unknown'

/** A version of DATEX II: what can be written, and how. */
export type Model = {
  /** With everything inherited, by their names in the schema. */
  readonly types: ReadonlyMap<string, ComplexType>
  readonly enumerations: ReadonlyMap<string, ReadonlySet<string>>
  /** How values of a simple type are written; `undefined` when the name is not one of a simple type. */
  readonly converterOf: (typeName: string) => Convert | undefined
  readonly formOf: (typeName: string) => Form
  /** Whether a value stands for `_extended` of an enumeration of v3. */
  readonly isExtension: (typeName: string, value: string) => boolean
  /** The field of a value that names its concrete type. */
  readonly typeField: string
  /** The type of texts in several languages, and the prefix of the elements in it. */
  readonly texts: string
  readonly textPrefix: string
  /** By prefix, where names have them. */
  readonly namespaces: Readonly<Record<string, string>> | undefined
}

/** Values of required fields that a record does not have come from the fallbacks. */
export function openModel(schema: Schema, fallbacks: Fallbacks): Model {
  const enumerations = new Map(
    Object.entries(schema.enumerations).map(([name, values]) => [name, new Set(values)] as const),
  )
  const { namespaces, simple = {} } = schema
  const textPrefix = namespaces === undefined ? '' : 'com:'
  const texts = `${textPrefix}MultilingualString`
  const toConverter = (typeName: string) => {
    const allowed = enumerations.get(typeName)
    if (allowed !== undefined) return toMemberOf(allowed)
    const spec = simple[typeName]
    return spec === undefined ? toSimpleText(typeName) : restrict(spec)
  }
  const toForm = (typeName: string): Form => {
    if (enumerations.has(typeName)) return 'enumeration'
    if (typeName === texts) return 'texts'
    const base = simple[typeName]?.base ?? typeName
    if (base === 'Boolean') return 'boolean'
    if (isNumeric(base)) return 'number'
    return converterOf(typeName) === undefined ? 'structure' : 'text'
  }
  const converterOf = remember(toConverter)
  return {
    types: new Map(
      Object.keys(schema.types).map((name) => [name, toComplexType(name, schema, fallbacks)]),
    ),
    enumerations,
    converterOf,
    formOf: remember(toForm),
    isExtension: (typeName, value) => {
      const known = enumerations.get(typeName.replace(/(\w+)$/, '_$1ExtensionType'))
      return known === undefined ? value === unknown : known.has(value)
    },
    // Types of v3 have fields that are called `type`.
    typeField: typeFieldOf(schema),
    texts,
    textPrefix,
    namespaces,
  }
}

function typeFieldOf({ namespaces }: Schema): string {
  return namespaces === undefined ? 'type' : 'xsi:type'
}

function remember<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, { readonly value: Value }>()
  return (name) => {
    const known = made.get(name) ?? { value: make(name) }
    made.set(name, known)
    return known.value
  }
}

function toComplexType(name: string, schema: Schema, fallbacks: Fallbacks): ComplexType {
  const spec: TypeSpec = schema.types[name] ?? { members: {} }
  const parent =
    spec.parent === undefined ? undefined : toComplexType(spec.parent, schema, fallbacks)
  const prefix = name.slice(0, name.indexOf(':') + 1)
  const own = Object.entries(spec.members).map(([member, text]) => ({
    name: member,
    element: prefix + member,
    key: toKey(member, name),
    fallback: fallbacks[`${name}.${member}`],
    ...parseQuantity(text),
  }))
  const attributes = [...(parent?.attributes ?? []), ...Object.entries(spec.attributes ?? {})]
  const members = [...(parent?.members ?? []), ...own]
  return {
    name,
    abstract: spec.abstract === true,
    derived: spec.derived === true,
    ancestors: parent === undefined ? [] : [parent.name, ...parent.ancestors],
    attributes,
    members,
    names: new Set([
      typeFieldOf(schema),
      ...attributes.map(([key]) => key),
      ...members.map((each) => each.name),
    ]),
  }
}

/** Places for extensions are named in JSON after the type that has them: `locLocationExtensionG`. */
function toKey(member: string, typeName: string): string {
  return member.startsWith('_') && member.endsWith('Extension')
    ? `${toJsonName(typeName)}ExtensionG`
    : member
}

/** `aegi:ElectricChargingPoint` → `aegiElectricChargingPoint` */
export function toJsonName(typeName: string): string {
  return typeName.replace(':', '')
}
