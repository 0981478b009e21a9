import { isNumeric, restrict, toMemberOf, toSimpleText } from './values.ts'
import type { Convert, SimpleSpec } from './values.ts'
import type { Form } from './xml.ts'

/**
 * A complex type of a DATEX II schema, as printed by `scripts/datex-schema.ts`. Each field is
 * written as its type with a quantifier as in regular expressions: none (exactly one), `?`, `*`,
 * `+`, `{min,max}`. Fields are in the order of the schema.
 */
export type TypeSpec = {
  /** The base type. Its fields come first. */
  readonly parent?: string
  /** Whether the type is abstract. Its values are written as a descendant, named by `xsi:type`. */
  readonly abstract?: boolean
  /** Whether the full schema, of which this is a part, derives other types from it. */
  readonly derived?: boolean
  /**
   * Attribute rules: `text`, `language`, `index` (a whole number), or `=…` for a fixed value. A
   * trailing `?` marks an optional attribute.
   */
  readonly attributes?: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, string>>
}

/** The part of a DATEX II schema that is used here, as printed by `scripts/datex-schema.ts`. */
export type Schema = {
  readonly types: Readonly<Record<string, TypeSpec>>
  /** The values of each enumeration in the order of the schema. */
  readonly enumerations: Readonly<Record<string, readonly string[]>>
  /** Simple types that are restrictions of other simple types. */
  readonly simple?: Readonly<Record<string, SimpleSpec>>
  /** Namespaces by prefix, or undefined if names have no prefixes. */
  readonly namespaces?: Readonly<Record<string, string>>
}

/**
 * Values for missing required fields, by type and field, such as `Accident.accidentType`. Each
 * states as little as possible.
 */
export type Fallbacks = Readonly<Record<string, unknown>>

/** One element inside a complex type. */
export type Member = {
  readonly name: string
  /** The name with the prefix of the type that declares it. */
  readonly element: string
  readonly key: string
  readonly type: string
  readonly min: number
  readonly max: number
  /** The value to write when a required field is missing or invalid. */
  readonly fallback: unknown
}

/** A complex type with everything it inherits, in the order of the schema. */
export type ComplexType = {
  readonly name: string
  readonly abstract: boolean
  /**
   * Whether the full schema derives other types from it, so that its values must name their type.
   */
  readonly derived: boolean
  readonly ancestors: readonly string[]
  readonly attributes: readonly (readonly [name: string, rule: string])[]
  readonly members: readonly Member[]
  /** Names of all fields and attributes that a value of this type may have. */
  readonly names: ReadonlySet<string>
}

const quantifiers: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '': [1, 1],
  '?': [0, 1],
  '*': [0, Infinity],
  '+': [1, Infinity],
}

/** Parses a field: `DayEnum{0,7}` is the type `DayEnum`, at least 0 and at most 7 times. */
function parseQuantity(text: string): Pick<Member, 'type' | 'min' | 'max'> {
  const [, type = '', quantifier = '', least = '', most = ''] =
    /^([\w:]+)(\?|\*|\+|\{(\d+),(\d*)\})?$/.exec(text) ?? []
  const [min, max] = quantifiers[quantifier] ?? [Number(least), Number(most || Infinity)]
  return { type, min, max }
}

/** The extended value of a required v3 enumeration whose actual value is not known. */
const unknown = 'unknown'

/** A version of DATEX II: its types and how their values are written. */
export type Model = {
  /** Complex types by their names in the schema, including everything they inherit. */
  readonly types: ReadonlyMap<string, ComplexType>
  readonly enumerations: ReadonlyMap<string, ReadonlySet<string>>
  /**
   * Returns the converter of a simple type, or undefined if the name is not that of a simple type.
   */
  readonly converterOf: (typeName: string) => Convert | undefined
  readonly formOf: (typeName: string) => Form
  /** Reports whether a value may be written as `_extended` of a v3 enumeration. */
  readonly isExtension: (typeName: string, value: string) => boolean
  /** Name of the field that holds the concrete type of a value. */
  readonly typeField: string
  /** The type of texts in several languages. `textPrefix` is the prefix of the elements in it. */
  readonly texts: string
  readonly textPrefix: string
  /** Namespaces by prefix, or undefined if names have no prefixes. */
  readonly namespaces: Readonly<Record<string, string>> | undefined
}

/**
 * Builds the tables of a DATEX II version. A required field that a record does not have gets its
 * value from the fallbacks.
 */
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
    // Types of v3 may have a field called `type`, so v3 uses `xsi:type`.
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

/**
 * Returns the JSON key of a field. Extension points are named after their type:
 * `locLocationExtensionG`.
 */
function toKey(member: string, typeName: string): string {
  return member.startsWith('_') && member.endsWith('Extension')
    ? `${toJsonName(typeName)}ExtensionG`
    : member
}

/** Joins prefix and name: `aegi:ElectricChargingPoint` → `aegiElectricChargingPoint`. */
export function toJsonName(typeName: string): string {
  return typeName.replace(':', '')
}
