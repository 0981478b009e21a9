import { nearest } from '../lang/nearest.ts'
import { toJsonName } from './model.ts'
import type { ComplexType, Member, Model } from './model.ts'
import { cut, toLanguage, toText } from './values.ts'
import { element, isPrinted } from './xml.ts'
import type { PrintedElement, XmlElement } from './xml.ts'

/**
 * Receives a message about each value that was omitted or replaced, so that nothing is lost
 * silently.
 */
export type Note = (detail: string) => void

/** The place that a value is written to: the element's name and its declared type in the schema. */
export type Slot = Pick<Member, 'name' | 'type'> & Partial<Pick<Member, 'element' | 'key' | 'max'>>

type Written = readonly (XmlElement | PrintedElement)[]

/** The DATEX II version to write, and the callback for omitted and replaced values. */
type Context = { readonly model: Model; readonly note: Note }

/**
 * Writes a JSON value as an element of a schema type. The result is always valid: fields are in the
 * order of the schema, invalid and unknown ones are omitted, and missing required ones get their
 * fallback. A value of an abstract type must name its concrete type in the field `type` (v3:
 * `xsi:type`).
 * @returns undefined if the value cannot be an element of that type
 */
export function toElement(slot: Slot, value: unknown, context: Context): XmlElement | undefined {
  const written = write(slot, value, context)
  if (written === undefined) context.note(`${slot.name}: ${show(value)} cannot be a ${slot.type}.`)
  return written
}

function write(slot: Slot, value: unknown, context: Context): XmlElement | undefined {
  const { model } = context
  const convert = model.converterOf(slot.type)
  if (convert === undefined) {
    return slot.type === model.texts
      ? writeTexts(slot, value, context)
      : writeStructure(slot, value, context)
  }
  const text = convert(value)
  if (text !== undefined) return { ...frame(slot, model), attributes: none, children: text }
  return writeExtension(slot, value, model)
}

/**
 * Writes a value that a v3 enumeration does not contain, but may be extended with, as `_extended`.
 */
function writeExtension(slot: Slot, value: unknown, model: Model): XmlElement | undefined {
  const isEnumerated = model.namespaces !== undefined && model.enumerations.has(slot.type)
  if (!isEnumerated || typeof value !== 'string' || !model.isExtension(slot.type, value)) {
    return undefined
  }
  const attributes = { _extendedValue: value }
  return { ...frame(slot, model), attributes, children: '_extended' }
}

const none = {}

/**
 * Returns the name of an element and, if the version has a JSON encoding, its place in the JSON.
 */
function frame(slot: Slot, model: Model, type?: ComplexType): Pick<XmlElement, 'name' | 'json'> {
  const { element: name = slot.name, key = slot.name, max = 1 } = slot
  if (model.namespaces === undefined) return { name }
  const form = model.formOf(slot.type)
  const isNamed = type !== undefined && model.types.get(slot.type)?.derived === true
  return {
    name,
    json: { key, repeated: max > 1, form, named: isNamed ? toJsonName(type.name) : undefined },
  }
}

/** Writes a text per language, or a single text without a language. */
function writeTexts(slot: Slot, given: unknown, { model }: Context): XmlElement | undefined {
  const texts = isRecord(given) ? Object.entries(given) : [['', given] as const]
  const values = texts.flatMap(([key, value]) => {
    const text = cut(toText(value))
    const language = toLanguage(key)
    if (text === undefined || text === '') return []
    return [
      element(`${model.textPrefix}value`, language === undefined ? {} : { lang: language }, text),
    ]
  })
  if (values.length === 0) return undefined
  const children = [element(`${model.textPrefix}values`, none, values)]
  return { ...frame(slot, model), attributes: none, children }
}

function writeStructure(slot: Slot, value: unknown, context: Context): XmlElement | undefined {
  if (!isRecord(value)) return undefined
  const type = concreteType(slot, value[context.model.typeField], context)
  if (type === undefined) return undefined
  const attributes = writeAttributes(slot, type, value)
  if (attributes === undefined) return undefined
  const children: (XmlElement | PrintedElement)[] = []
  for (const member of type.members) {
    const given = value[member.name] ?? undefined
    if (given === undefined && member.min === 0) continue
    const written = writeMember(member, given, context)
    if (written.length < member.min) return undefined
    for (const child of written) children.push(child)
  }
  noteUnknown(type, value, context.note)
  return { ...frame(slot, context.model, type), attributes, children }
}

/**
 * Returns the declared type, or its descendant that the value names. Returns undefined if no
 * concrete type is known.
 */
function concreteType(
  slot: Slot,
  named: unknown,
  { model, note }: Context,
): ComplexType | undefined {
  const declared = model.types.get(slot.type)
  if (named === undefined) return declared?.abstract === true ? undefined : declared
  const type = typeof named === 'string' ? model.types.get(named) : undefined
  const lineage = type === undefined ? [] : [type.name, ...type.ancestors]
  if (type?.abstract === false && lineage.includes(slot.type)) return type
  note(`${slot.name}: ${show(named)} is not a concrete ${slot.type}.`)
  return declared?.abstract === true ? undefined : declared
}

function writeAttributes(
  slot: Slot,
  type: ComplexType,
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | undefined {
  const written: Record<string, string> = type.name === slot.type ? {} : { 'xsi:type': type.name }
  for (const [name, rule] of type.attributes) {
    const text = toAttribute(rule.replace(/\?$/, ''), value[name])
    if (text !== undefined) written[name] = text
    else if (!rule.endsWith('?')) return undefined
  }
  return written
}

function toAttribute(rule: string, value: unknown): string | undefined {
  if (rule.startsWith('=')) return rule.slice(1)
  if (rule === 'language') return toLanguage(value)
  const text = toText(value)
  return rule === 'index' && text !== undefined && !/^\d{1,9}$/.test(text) ? undefined : text
}

/**
 * Writes missing, single or listed values. Surplus values are cut off; if there are too few, the
 * fallback is written instead.
 */
function writeMember(member: Member, given: unknown, context: Context): Written {
  if (given === undefined) return fallback(member, context)
  const values: readonly unknown[] = Array.isArray(given) ? given : [given]
  const written: (XmlElement | PrintedElement)[] = []
  for (const value of values) {
    const item = isPrinted(value) ? value : toElement(member, value, context)
    if (item !== undefined) written.push(item)
  }
  if (written.length < member.min) return fallback(member, context)
  if (written.length <= member.max) return written
  context.note(
    `${member.name}: only ${String(member.max)} of ${String(written.length)} values are allowed.`,
  )
  return written.slice(0, member.max)
}

function fallback(member: Member, { model }: Context): Written {
  if (member.fallback === undefined) return []
  return [toElement(member, member.fallback, { model, note: () => undefined }) ?? []].flat()
}

function noteUnknown(
  type: ComplexType,
  value: Readonly<Record<string, unknown>>,
  note: Note,
): void {
  for (const name in value) {
    if (type.names.has(name)) continue
    const meant = nearest(name, type.names)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    note(`${name.slice(0, 100)} is not a field of ${type.name}.${hint}`)
  }
}

/** Reports whether a value is a JSON object; dates and lists are not. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  )
}

function show(value: unknown): string {
  const text = isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
