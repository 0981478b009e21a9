import type { ComplexType } from './model.ts'
import { version2 } from './version-2.ts'

/** An element of a document that was read; names may have prefixes. */
export type ReadElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly ReadElement[]
  readonly text: string
}

export type Value = Readonly<Record<string, unknown>>

/**
 * Reads an element of a type of the schema as the JSON value that `toElement` writes. What the tables
 * do not know, such as extensions, is left out; so are texts that the type does not allow.
 * @returns undefined when the element is not one of that type
 */
function fromElement(element: ReadElement, typeName: string): unknown {
  const convert = version2.converterOf(typeName)
  if (convert !== undefined) {
    return convert(typeName === 'String' ? element.text : element.text.trim())
  }
  return typeName === 'MultilingualString' ? readTexts(element) : readStructure(element, typeName)
}

/** The same for a type that has fields, with the name of the concrete type when the document has it. */
export function readStructure(element: ReadElement, typeName: string): Value | undefined {
  const named = version2.types.get(typeOf(element) ?? typeName)
  const isDerived = named !== undefined && [named.name, ...named.ancestors].includes(typeName)
  // Of a type that an extension adds, what it has in common with its base remains.
  const type = isDerived ? named : version2.types.get(typeName)
  if (type === undefined) return undefined
  const value: Record<string, unknown> = type.name === typeName ? {} : { type: type.name }
  for (const [name, rule] of type.attributes) {
    const text = attributeOf(element, name)
    if (text !== undefined && !rule.startsWith('=')) value[name] = text
  }
  readMembers(element, type, value)
  return value
}

function readMembers(element: ReadElement, type: ComplexType, value: Record<string, unknown>) {
  const members = new Map(type.members.map((member) => [member.name, member]))
  for (const child of element.children) {
    const name = localName(child.name)
    const member = members.get(name)
    const read = member && fromElement(child, member.type)
    if (member === undefined || read === undefined) continue
    if (member.max === 1) value[name] = read
    else value[name] = [...toList(value[name]), read]
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text per language; `''` stands for none. */
function readTexts(element: ReadElement): Readonly<Record<string, string>> {
  const texts = descend(element, ['values', 'value']).map(
    (value) => [attributeOf(value, 'lang') ?? '', value.text] as const,
  )
  return Object.fromEntries(texts)
}

/** The concrete type that `xsi:type` names. */
export function typeOf(element: ReadElement): string | undefined {
  const named = attributeOf(element, 'type')
  return named === undefined ? undefined : localName(named)
}

/** All elements at a path of names below an element. */
export function descend(element: ReadElement, path: readonly string[]): readonly ReadElement[] {
  const [step, ...rest] = path
  if (step === undefined) return [element]
  const fitting = element.children.filter(({ name }) => localName(name) === step)
  return fitting.flatMap((child) => descend(child, rest))
}

/** The text at a path; undefined when there is none. */
export function textAt(element: ReadElement, ...path: readonly string[]): string | undefined {
  const text = descend(element, path)[0]?.text.trim()
  return text === '' ? undefined : text
}

export function attributeOf(element: ReadElement, wanted: string): string | undefined {
  const found = Object.entries(element.attributes).find(([name]) => localName(name) === wanted)
  return found?.[1]
}

/** Prefixes differ between documents that mean the same. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
