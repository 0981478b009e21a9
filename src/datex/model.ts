import { toMemberOf, toSimpleText } from './values.ts'
import type { Convert } from './values.ts'

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
  /** Required attributes: `text`, `index` (a whole number), or `=…` for a fixed value. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, string>>
}

/** Part of a DATEX II schema, as `scripts/datex-schema.ts` prints it. */
export type Schema = {
  readonly types: Readonly<Record<string, TypeSpec>>
  /** The values of each enumeration in the order of the schema. */
  readonly enumerations: Readonly<Record<string, readonly string[]>>
}

/** By type and field, such as `Accident.accidentType`: the least that can be stated. */
export type Fallbacks = Readonly<Record<string, unknown>>

/** One element inside a complex type. */
export type Member = {
  readonly name: string
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
    /^(\w+)(\?|\*|\+|\{(\d+),(\d*)\})?$/.exec(text) ?? []
  const [min, max] = quantifiers[quantifier] ?? [Number(least), Number(most || Infinity)]
  return { type, min, max }
}

/** A version of DATEX II: what can be written, and how. */
export type Model = {
  /** With everything inherited, by their names in the schema. */
  readonly types: ReadonlyMap<string, ComplexType>
  /** The allowed values of each enumeration. */
  readonly enumerations: ReadonlyMap<string, ReadonlySet<string>>
  /** How values of a simple type are written; `undefined` when the name is not one of a simple type. */
  readonly converterOf: (typeName: string) => Convert | undefined
}

/** Values of required fields that a record does not have come from the fallbacks. */
export function openModel(schema: Schema, fallbacks: Fallbacks): Model {
  const enumerations = new Map(
    Object.entries(schema.enumerations).map(([name, values]) => [name, new Set(values)] as const),
  )
  const converters = new Map<string, Convert | undefined>()
  const toConverter = (typeName: string) => {
    const allowed = enumerations.get(typeName)
    return allowed === undefined ? toSimpleText(typeName) : toMemberOf(allowed)
  }
  return {
    types: new Map(
      Object.keys(schema.types).map((name) => [name, toComplexType(name, schema, fallbacks)]),
    ),
    enumerations,
    converterOf: (typeName) => {
      if (!converters.has(typeName)) converters.set(typeName, toConverter(typeName))
      return converters.get(typeName)
    },
  }
}

function toComplexType(name: string, schema: Schema, fallbacks: Fallbacks): ComplexType {
  const spec: TypeSpec = schema.types[name] ?? { members: {} }
  const parent =
    spec.parent === undefined ? undefined : toComplexType(spec.parent, schema, fallbacks)
  const own = Object.entries(spec.members).map(([member, text]) => ({
    name: member,
    fallback: fallbacks[`${name}.${member}`],
    ...parseQuantity(text),
  }))
  const attributes = [...(parent?.attributes ?? []), ...Object.entries(spec.attributes ?? {})]
  const members = [...(parent?.members ?? []), ...own]
  return {
    name,
    abstract: spec.abstract === true,
    ancestors: parent === undefined ? [] : [parent.name, ...parent.ancestors],
    attributes,
    members,
    names: new Set([
      'type',
      ...attributes.map(([key]) => key),
      ...members.map((member) => member.name),
    ]),
  }
}
