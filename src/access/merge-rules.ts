import type { AccessRule } from './rules.ts'

/** The members of a rule that data is compared with. */
export const members = ['origin', 'type', 'dataType', 'period'] as const
export type Member = (typeof members)[number]

/** A rule for several values at once: data matches when each member is any (null) or among them. */
export type Box = { readonly [M in Member]: readonly NonNullable<AccessRule[M]>[] | null }

/** Many pairs, triples … that no box describes: data matches when its members equal one of the rules. */
export type Tuples = { readonly members: readonly Member[]; readonly rules: readonly AccessRule[] }

/** Few conditions that together mean the same as the rules. */
export type Merged = { readonly boxes: readonly Box[]; readonly tuples: readonly Tuples[] }

/** More boxes of one shape than this are compared as a set of tuples instead. */
const MOST_BOXES = 4

/** Merges rules that differ in one member only, so that a thousand rules make a handful of conditions. */
export function mergeRules(rules: readonly AccessRule[]): Merged {
  const boxes: Box[] = []
  const tuples: Tuples[] = []
  for (const [shape, alike] of Map.groupBy(withoutNarrower(rules), shapeOf)) {
    const merged = members.reduce(mergeAlong, alike.map(toBox))
    if (merged.length <= MOST_BOXES) boxes.push(...merged)
    else tuples.push({ members: members.filter((member) => shape.includes(member)), rules: alike })
  }
  return { boxes, tuples }
}

/** The members that a rule names, as a key. */
function shapeOf(rule: AccessRule): string {
  return namedBy(rule).join(' ')
}

function namedBy(rule: AccessRule): readonly Member[] {
  return members.filter((member) => rule[member] !== null)
}

/**
 * Rules that another, less specific one already covers say nothing new. Only the shapes that there are
 * can cover anything, and mostly there is one: so the cost grows with the rules, and no faster.
 */
function withoutNarrower(rules: readonly AccessRule[]): readonly AccessRule[] {
  const shapes = [...new Map(rules.map((rule) => [shapeOf(rule), namedBy(rule)])).values()]
  const known = new Set(rules.map((rule) => keyOf(rule, namedBy(rule))))
  return rules.filter((rule) => {
    const named = namedBy(rule)
    const wider = shapes.filter(
      (shape) => shape.length < named.length && shape.every((member) => named.includes(member)),
    )
    return !wider.some((shape) => known.has(keyOf(rule, shape)))
  })
}

/** A rule as if it named these members only. */
function keyOf(rule: AccessRule, named: readonly Member[]): string {
  return JSON.stringify(members.map((member) => (named.includes(member) ? rule[member] : null)))
}

function toBox({ origin, type, dataType, period }: AccessRule): Box {
  return {
    origin: origin === null ? null : [origin],
    type: type === null ? null : [type],
    dataType: dataType === null ? null : [dataType],
    period: period === null ? null : [period],
  }
}

/** Unites the boxes that differ along one member only. */
function mergeAlong(boxes: readonly Box[], member: Member): readonly Box[] {
  const alike = Map.groupBy(boxes, (box) => JSON.stringify({ ...box, [member]: null }))
  return [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [others.reduce((box, other) => unite(box, other, member), first)],
  )
}

function unite(box: Box, other: Box, member: Member): Box {
  const values = [...new Set([...(box[member] ?? []), ...(other[member] ?? [])])].sort()
  return { ...box, [member]: box[member] === null ? null : values }
}
