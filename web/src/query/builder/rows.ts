import type { Member } from '../../api/index.ts'
import { comparisonsOf, valuesTaken } from '../expression/conditions.ts'
import type { Comparison, Condition, ValueKind } from '../expression/conditions.ts'
import { guessKind, kindOf } from '../expression/members-in-use.ts'

/** A new row without any input. */
export const emptyRow: Condition = { path: '', comparison: 'is', kind: 'text', values: [] }

/**
 * Returns a row with another field. Comparison and values are kept as far as they suit the field.
 */
export function withMember(row: Condition, member: Member): Condition {
  const kind = kindOf(member) ?? row.kind
  const possible = comparisonsFor(member)
  const comparison = possible.includes(row.comparison) ? row.comparison : firstOf(kind, possible)
  const values = kind === row.kind ? row.values : kind === 'boolean' ? ['true'] : []
  return { path: member.path, comparison, kind, values: valuesFor(comparison, values) }
}

/** Returns a row with another comparison. */
export function withComparison(row: Condition, comparison: Comparison): Condition {
  const values = valuesFor(comparison, row.values)
  const isBoolean = row.kind === 'boolean' && comparison === 'is' && values.length === 0
  return { ...row, comparison, values: isBoolean ? ['true'] : values }
}

/** Returns a row with other values. For fields of any type, the values determine the type. */
export function withValues(
  row: Condition,
  values: readonly string[],
  member: Member | undefined,
): Condition {
  const known = member === undefined ? undefined : kindOf(member)
  const kinds = new Set(values.map(guessKind))
  const [guessed = 'text', ...others] = kinds
  return { ...row, values, kind: known ?? (others.length > 0 ? 'text' : guessed) }
}

/** Returns the comparisons that suit a field; an unknown type allows those of texts and numbers. */
export function comparisonsFor(member: Member | undefined): readonly Comparison[] {
  // A single value never equals a list; `in` compares its elements.
  if (member?.path.includes('[*]') === true) return ['oneOf', 'noneOf']
  const kind = member === undefined ? undefined : kindOf(member)
  if (kind !== undefined) return comparisonsOf(kind)
  if (member?.type === 'object' || member?.type === 'json' || member?.type === 'place') {
    return ['there', 'missing']
  }
  return [...new Set([...comparisonsOf('text'), ...comparisonsOf('number')])]
}

function firstOf(kind: ValueKind, possible: readonly Comparison[]): Comparison {
  const wanted: Comparison = kind === 'text' ? 'contains' : kind === 'time' ? 'atLeast' : 'is'
  return possible.includes(wanted) ? wanted : (possible[0] ?? 'is')
}

function valuesFor(comparison: Comparison, values: readonly string[]): readonly string[] {
  const taken = valuesTaken(comparison)
  if (taken === 'none') return []
  return taken === 'one' ? values.slice(0, 1) : values
}

/**
 * Returns the fields whose path or description contains a text. Fields whose own name starts with
 * it come first, nested ones later, deprecated ones last.
 */
export function findMembers(members: readonly Member[], typed: string): readonly Member[] {
  const wanted = typed.trim().toLowerCase()
  return members
    .map((member) => ({ member, rank: rankOf(member, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ member }) => member)
}

/** A better kind of match outranks any depth. */
const step = 100

function rankOf(member: Member, wanted: string): number | undefined {
  const likeness = likenessOf(member, wanted)
  if (likeness === undefined) return undefined
  const parts = member.path.split('.')
  const steps = parts.filter((part) => part === '[*]').length + parts.length
  const whole = member.type === 'object' || member.type === 'json' ? 5 : 0
  return likeness * step + steps + whole + (member.deprecated === null ? 0 : 10 * step)
}

function likenessOf({ path, description }: Member, wanted: string): number | undefined {
  const whole = path.toLowerCase()
  const name = whole.split('.').findLast((part) => part !== '[*]') ?? whole
  if (whole === wanted) return 0
  if (name === wanted) return 1
  if (name.startsWith(wanted) || whole.startsWith(wanted)) return 2
  if (name.includes(wanted)) return 3
  if (whole.includes(wanted)) return 4
  return (description ?? '').toLowerCase().includes(wanted) ? 5 : undefined
}
