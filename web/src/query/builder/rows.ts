import type { Member } from '../../api/index.ts'
import { comparisonsOf, valuesTaken } from '../expression/conditions.ts'
import type { Comparison, Condition, ValueKind } from '../expression/conditions.ts'
import { guessKind, kindOf } from '../expression/members-in-use.ts'

/** A row that nobody has touched. */
export const emptyRow: Condition = { path: '', comparison: 'is', kind: 'text', values: [] }

/** The row for another member: what still makes sense of it stays. */
export function withMember(row: Condition, member: Member): Condition {
  const kind = kindOf(member) ?? row.kind
  const possible = comparisonsFor(member)
  const comparison = possible.includes(row.comparison) ? row.comparison : firstOf(kind, possible)
  const values = kind === row.kind ? row.values : kind === 'boolean' ? ['true'] : []
  return { path: member.path, comparison, kind, values: valuesFor(comparison, values) }
}

/** The row with another comparison. */
export function withComparison(row: Condition, comparison: Comparison): Condition {
  const values = valuesFor(comparison, row.values)
  const isBoolean = row.kind === 'boolean' && comparison === 'is' && values.length === 0
  return { ...row, comparison, values: isBoolean ? ['true'] : values }
}

/** The row with other values; of a member of any kind they say which kind is meant. */
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

/** How a member can be compared: of any kind, in every way. */
export function comparisonsFor(member: Member | undefined): readonly Comparison[] {
  // One value is never equal to several: `in` looks inside.
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
 * The members that somebody means who types a part of their path or description: those whose own name
 * begins so come first, deep ones behind, what is deprecated at the end.
 */
export function findMembers(members: readonly Member[], typed: string): readonly Member[] {
  const wanted = typed.trim().toLowerCase()
  return members
    .map((member) => ({ member, rank: rankOf(member, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ member }) => member)
}

/** Each sort of likeness outweighs any depth. */
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
