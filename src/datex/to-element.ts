import { nearest } from '../lang/nearest.ts'
import type { ComplexType, Member, Model } from './model.ts'
import { cut, toLanguage, toText } from './values.ts'
import { element } from './xml.ts'
import type { XmlElement } from './xml.ts'

/** Called with everything that was left out or replaced, so that nothing is lost silently. */
export type Note = (detail: string) => void

/** The place that a value is written to: element name and declared type of the schema. */
export type Slot = Pick<Member, 'name' | 'type'>

/** The version of DATEX II that is written, and who hears what was left out. */
type Context = { readonly model: Model; readonly note: Note }

/**
 * Writes a JSON value as an element of a type of the schema, so that the result is always valid:
 * fields in the order of the schema, wrong or unknown ones left out, required ones by fallback.
 * A value of an abstract type names its concrete type in the field `type`.
 * @returns undefined when the value cannot be an element of that type
 */
export function toElement(slot: Slot, value: unknown, context: Context): XmlElement | undefined {
  const written = write(slot, value, context)
  if (written === undefined) context.note(`${slot.name}: ${show(value)} cannot be a ${slot.type}.`)
  return written
}

function write(slot: Slot, value: unknown, context: Context): XmlElement | undefined {
  const convert = context.model.converterOf(slot.type)
  if (convert === undefined) {
    return slot.type === 'MultilingualString'
      ? writeTexts(slot, value)
      : writeStructure(slot, value, context)
  }
  const text = convert(value)
  return text === undefined ? undefined : element(slot.name, {}, text)
}

/** A text per language, or one text in no particular language. */
function writeTexts(slot: Slot, given: unknown): XmlElement | undefined {
  const texts = isRecord(given) ? Object.entries(given) : [['', given] as const]
  const values = texts.flatMap(([key, value]) => {
    const text = cut(toText(value))
    const language = toLanguage(key)
    if (text === undefined || text === '') return []
    return [element('value', language === undefined ? {} : { lang: language }, text)]
  })
  if (values.length === 0) return undefined
  return element(slot.name, {}, [element('values', {}, values)])
}

function writeStructure(slot: Slot, value: unknown, context: Context): XmlElement | undefined {
  if (!isRecord(value)) return undefined
  const type = concreteType(slot, value['type'], context)
  if (type === undefined) return undefined
  const attributes = writeAttributes(slot, type, value)
  if (attributes === undefined) return undefined
  const children: XmlElement[] = []
  for (const member of type.members) {
    const given = value[member.name] ?? undefined
    if (given === undefined && member.min === 0) continue
    const written = writeMember(member, given, context)
    if (written.length < member.min) return undefined
    for (const child of written) children.push(child)
  }
  noteUnknown(type, value, context.note)
  return element(slot.name, attributes, children)
}

/** The declared type, or the descendant of it that the value names. */
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
    const text = rule.startsWith('=') ? rule.slice(1) : toText(value[name])
    if (text === undefined || (rule === 'index' && !/^\d{1,9}$/.test(text))) return undefined
    written[name] = text
  }
  return written
}

/** Absent, single or listed values; too many are cut off, too few are made up by the fallback. */
function writeMember(member: Member, given: unknown, context: Context): readonly XmlElement[] {
  if (given === undefined) return fallback(member, context)
  const values: readonly unknown[] = Array.isArray(given) ? given : [given]
  const written: XmlElement[] = []
  for (const value of values) {
    const item = toElement(member, value, context)
    if (item !== undefined) written.push(item)
  }
  if (written.length < member.min) return fallback(member, context)
  if (written.length <= member.max) return written
  context.note(
    `${member.name}: only ${String(member.max)} of ${String(written.length)} values are allowed.`,
  )
  return written.slice(0, member.max)
}

function fallback(member: Member, { model }: Context): readonly XmlElement[] {
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

/** A JSON object; dates and lists are not. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  )
}

function show(value: unknown): string {
  const text = isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
