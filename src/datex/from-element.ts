import type { ComplexType } from './model.ts'
import { version2 } from './version-2.ts'

/** An element of a parsed XML document. Names may have a namespace prefix. */
export type ReadElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly ReadElement[]
  readonly text: string
}

export type Value = Readonly<Record<string, unknown>>

/**
 * Converts an element of a schema type to the JSON value that `toElement` would write as this
 * element. Omits elements and attributes that the tables do not list, such as extensions, and texts
 * that the type does not allow.
 * @returns undefined if the element is not of that type
 */
function fromElement(element: ReadElement, typeName: string): unknown {
  const convert = version2.converterOf(typeName)
  if (convert !== undefined) {
    return convert(typeName === 'String' ? element.text : element.text.trim())
  }
  return typeName === 'MultilingualString' ? readTexts(element) : readStructure(element, typeName)
}

/**
 * Converts an element of a complex type to an object. If the document names a derived type, the
 * object's `type` holds its name.
 */
export function readStructure(element: ReadElement, typeName: string): Value | undefined {
  const named = version2.types.get(typeOf(element) ?? typeName)
  const isDerived = named !== undefined && [named.name, ...named.ancestors].includes(typeName)
  // A type that an extension adds is read as the declared one, so only the common fields remain.
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

/** Returns the texts by language. A text without a language has the key `''`. */
function readTexts(element: ReadElement): Readonly<Record<string, string>> {
  const texts = descend(element, ['values', 'value']).map(
    (value) => [attributeOf(value, 'lang') ?? '', value.text] as const,
  )
  return Object.fromEntries(texts)
}

/** Returns the concrete type that `xsi:type` names, without its prefix. */
export function typeOf(element: ReadElement): string | undefined {
  const named = attributeOf(element, 'type')
  return named === undefined ? undefined : localName(named)
}

/** Returns all elements at a path of child names below an element, whatever their prefixes. */
export function descend(element: ReadElement, path: readonly string[]): readonly ReadElement[] {
  const [step, ...rest] = path
  if (step === undefined) return [element]
  const fitting = element.children.filter(({ name }) => localName(name) === step)
  return fitting.flatMap((child) => descend(child, rest))
}

/**
 * Returns the trimmed text of the first element at a path, or undefined if it is missing or empty.
 */
export function textAt(element: ReadElement, ...path: readonly string[]): string | undefined {
  const text = descend(element, path)[0]?.text.trim()
  return text === '' ? undefined : text
}

export function attributeOf(element: ReadElement, wanted: string): string | undefined {
  const found = Object.entries(element.attributes).find(([name]) => localName(name) === wanted)
  return found?.[1]
}

/** Removes the prefix of a name. Documents may use different prefixes for the same namespace. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
