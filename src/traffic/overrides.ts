import { nearest } from '../lang/nearest.ts'
import { complexTypes, isRecord, toElement } from './datex/index.ts'
import type { Note } from './datex/index.ts'

type Value = Readonly<Record<string, unknown>>

/** These follow from the event itself; a second opinion about them would contradict it. */
const reserved: ReadonlySet<string> = new Set([
  'id',
  'version',
  'situationVersionTime',
  'headerInformation',
  'situationRecord',
  'situationRecordCreationTime',
  'situationRecordVersionTime',
  'generalPublicComment',
  'management',
])

/**
 * Lays the members that an event gives in `datex` over the computed ones of a type of the schema.
 * Objects are merged member by member, anything else is replaced. What the schema cannot take
 * leaves the computed value in place, with a note. `null` counts as absent.
 */
export function override(
  { typeName, computed }: { readonly typeName: string; readonly computed: Value },
  given: Value | null,
  note: Note,
): Value {
  if (given === null) return computed
  const result: Record<string, unknown> = { ...computed }
  for (const member of complexTypes.get(typeName)?.members ?? []) {
    const value = given[member.name]
    if (value === undefined || value === null || reserved.has(member.name)) continue
    const merged = merge(result[member.name], value)
    const values: readonly unknown[] = Array.isArray(merged) ? merged : [merged]
    const usable = values.filter((item) => toElement(member, item, note) !== undefined)
    if (usable.length >= Math.max(1, member.min)) {
      result[member.name] = Array.isArray(merged) ? usable : merged
    }
  }
  return result
}

/** Tells of each member in `datex` that none of the types, nor the event, leaves a place for. */
export function noteUnknown(typeNames: readonly string[], given: Value | null, note: Note): void {
  if (given === null) return
  const known = new Set(typeNames.flatMap((name) => [...(complexTypes.get(name)?.names ?? [])]))
  for (const name of Object.keys(given)) {
    if (reserved.has(name)) note(`datex.${name} follows from the event and cannot be given.`)
    if (known.has(name)) continue
    const meant = nearest(name, known)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    note(`datex.${name.slice(0, 100)} is not a member of ${typeNames.join(', ')}.${hint}`)
  }
}

/** A given `type` other than the computed one starts afresh. */
function merge(computed: unknown, given: unknown): unknown {
  if (!isRecord(computed) || !isRecord(given)) return given
  if (given['type'] !== undefined && given['type'] !== computed['type']) return given
  const merged: Record<string, unknown> = { ...computed }
  for (const [name, value] of Object.entries(given)) merged[name] = merge(computed[name], value)
  return merged
}
