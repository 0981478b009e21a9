import type { MemberSpec, TypeSpec } from './type-spec.ts'
import { typeSpecs } from './type-specs.ts'

/** One element inside a complex type. */
export type Member = {
  readonly name: string
  readonly type: string
  readonly min: number
  readonly max: number
  /** Written when a required member is missing or wrong. */
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

function toMember(name: string, spec: MemberSpec): Member {
  const [type, fallback] = typeof spec === 'string' ? [spec, undefined] : spec
  return { name, fallback, ...parseQuantity(type) }
}

function toComplexType(name: string, spec: TypeSpec): ComplexType {
  const parentSpec = spec.parent === undefined ? undefined : typeSpecs[spec.parent]
  const parent = parentSpec && toComplexType(spec.parent ?? '', parentSpec)
  const members = Object.entries(spec.members).map(([member, text]) => toMember(member, text))
  const attributes = [...(parent?.attributes ?? []), ...Object.entries(spec.attributes ?? {})]
  const all = [...(parent?.members ?? []), ...members]
  return {
    name,
    abstract: spec.abstract === true,
    ancestors: parent === undefined ? [] : [parent.name, ...parent.ancestors],
    attributes,
    members: all,
    names: new Set([
      'type',
      ...attributes.map(([key]) => key),
      ...all.map((member) => member.name),
    ]),
  }
}

/** Every complex type of the tables, by its name in the schema. */
export const complexTypes: ReadonlyMap<string, ComplexType> = new Map(
  Object.entries(typeSpecs).map(([name, spec]) => [name, toComplexType(name, spec)]),
)
