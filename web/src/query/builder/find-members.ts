import type { Member } from '../../api/index.ts'

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
