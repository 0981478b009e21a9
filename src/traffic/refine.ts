import { isRecord } from './datex/index.ts'
import type { Finer, Kind } from './tag-types.ts'

/** A kind with all that the metadata of an event says more exactly. */
export function refine(kindOfTag: Kind, metadata: Readonly<Record<string, unknown>>): Kind {
  let refined = kindOfTag
  for (const rule of kindOfTag.finer) {
    const value = findValue(rule, metadata, 3)
    if (value === undefined) continue
    const known = rule.type === undefined || rule.type === refined.type ? refined.members : {}
    const said = Object.entries(rule.members).map(
      ([name, member]) => [name, fill(member, value)] as const,
    )
    const merged = { ...known, ...Object.fromEntries(said) }
    refined = { ...refined, type: rule.type ?? refined.type, members: merged }
  }
  return refined
}

/** The first fitting value under one of the names, at most some levels deep. */
function findValue(rule: Finer, value: unknown, depth: number): string | number | undefined {
  if (!isRecord(value)) return undefined
  for (const [name, member] of Object.entries(value)) {
    const isNamed = rule.member.some((wanted) => toWord(wanted) === toWord(name))
    const found = isNamed ? fitting(rule, member) : undefined
    if (found !== undefined) return found
    const below = depth > 0 ? findValue(rule, member, depth - 1) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

function fitting({ is, number }: Finer, value: unknown): string | number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (is?.some((wanted) => toWord(wanted) === toWord(String(value)))) return value
  const [low = Number.NaN, high = Number.NaN] = number ?? []
  const amount = typeof value === 'number' ? value : Number.parseFloat(value.replace(',', '.'))
  return amount >= low && amount <= high ? amount : undefined
}

/** `Snow chains`, `snow-chains` and `snowChains` are the same word. */
function toWord(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '')
}

function fill(member: unknown, value: string | number): unknown {
  if (member === '$value') return value
  if (!isRecord(member)) return member
  return Object.fromEntries(
    Object.entries(member).map(([name, below]) => [name, fill(below, value)]),
  )
}
