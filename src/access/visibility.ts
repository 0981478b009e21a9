import { LRUCache } from 'lru-cache'
import { all, any, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { AccessRule, Area, Visibility } from './rule-table.ts'

const members = ['origin', 'type', 'dataType', 'period'] as const
type Member = (typeof members)[number]

/**
 * A rule for several values at once. Data matches if each field is null here (any) or its value
 * listed.
 */
type Box = { readonly [M in Member]: readonly NonNullable<AccessRule[M]>[] | null }

/**
 * Combinations of values that no box describes. Data matches if its fields equal those of one rule.
 */
type Tuples = { readonly members: readonly Member[]; readonly rules: readonly AccessRule[] }

/** A few conditions that together are equivalent to the rules. */
type Merged = { readonly boxes: readonly Box[]; readonly tuples: readonly Tuples[] }

/**
 * Boxes of one shape that become separate conditions. More are compared as a set of tuples instead.
 */
const MOST_BOXES = 4

/**
 * Merges rules that differ in one field only, so that a thousand rules become a handful of
 * conditions.
 */
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

/** Returns a key of the fields that a rule restricts. */
function shapeOf(rule: AccessRule): string {
  return namedBy(rule).join(' ')
}

function namedBy(rule: AccessRule): readonly Member[] {
  return members.filter((member) => rule[member] !== null)
}

/**
 * Drops rules that a less specific rule already covers. Only the shapes that occur can cover
 * anything, and usually there is one, so the cost grows linearly with the number of rules.
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

/** Returns a key of a rule reduced to the given fields. */
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

/** Merges the boxes that differ in one field only. */
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

type Values = readonly (string | number | null)[]

/**
 * Returns a PostgreSQL array as text (documentation of PostgreSQL, section 8.15.2), to be bound as
 * a value. The driver would encode the same text again for every request; here a thousand rules are
 * encoded once.
 */
export function arrayLiteral(values: Values): string {
  const known = written.get(values)
  if (known !== undefined) return known
  const literal = `{${values.map(toElement).join(',')}}`
  written.set(values, literal)
  return literal
}

const written = new WeakMap<Values, string>()

function toElement(value: string | number | null): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`
}

/**
 * The columns of a plan that rules refer to. A rule that restricts a field without a column matches
 * nothing.
 */
export type VisibleColumns = {
  /** Boolean; null counts as closed. */
  readonly closed: Sql
  /** Text; only a rule for any origin matches a null. */
  readonly origin: Sql
  readonly type: Sql
  readonly dataType?: Sql
  /** Integer; seconds. */
  readonly period?: Sql
  /** The types that rows can have, if the plan knows them. Rules for other types are skipped. */
  readonly types?: readonly string[] | undefined
}

/**
 * Returns the condition under which a row may be shown: it is open, or a rule opens it (decision
 * D60).
 */
export function visible(visibility: Visibility, area: Area, columns: VisibleColumns): Sql {
  if (visibility.kind === 'everything') return sql`true`
  const { boxes, tuples } = merged(visibility, area, columns)
  const branches = [
    ...boxes.map((box) => matchesBox(box, columns)),
    ...tuples.map((set) => matchesTuple(set, columns)),
  ]
  return any([sql`not (${columns.closed})`, ...branches])
}

type Restricted = Extract<Visibility, { kind: 'rules' }>

/** Merged rules by visibility. The same rules apply to every request until they change. */
const rememberedMerges = new WeakMap<Restricted, LRUCache<string, Merged>>()

/** Bound on the cached merges of one visibility, because callers choose the types of a query. */
const rememberedReads = 100

function merged(visibility: Restricted, area: Area, columns: VisibleColumns): Merged {
  const absent = members.filter((member) => columns[member] === undefined)
  const known = rememberedMerges.get(visibility) ?? new LRUCache({ max: rememberedReads })
  rememberedMerges.set(visibility, known)
  const key = JSON.stringify([area, absent, columns.types])
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const applies = (rule: AccessRule) =>
    (rule.area === null || rule.area === area) && absent.every((member) => rule[member] === null)
  const found = mergeRules(narrowed(visibility.rules.filter(applies), columns.types))
  known.set(key, found)
  return found
}

/**
 * Drops the rules for other types. If only one type is possible, the remaining rules need not test
 * it.
 */
function narrowed(
  rules: readonly AccessRule[],
  types: readonly string[] | undefined,
): readonly AccessRule[] {
  if (types === undefined) return rules
  const possible = new Set(types)
  const left = rules.filter(({ type }) => type === null || possible.has(type))
  return possible.size === 1 ? left.map((rule) => ({ ...rule, type: null })) : left
}

function matchesBox(box: Box, columns: VisibleColumns): Sql {
  return all(
    members.flatMap((member) => {
      const column = columns[member]
      const values = box[member]
      if (values === null || column === undefined) return []
      return [sql`${column} = any(${arrayLiteral(values)}::${typeOf(member)})`]
    }),
  )
}

/**
 * Compares with a hashed set, whatever its size. One condition per tuple would grow with the rules.
 */
function matchesTuple(set: Tuples, columns: VisibleColumns): Sql {
  const compared = set.members.flatMap((member) => columns[member] ?? [])
  const lists = listsOf(set).map(
    ({ member, values }) => sql`${arrayLiteral(values)}::${typeOf(member)}`,
  )
  return sql`(${join(compared, ', ')}) in (select * from unnest(${join(lists, ', ')}))`
}

type List = { readonly member: Member; readonly values: readonly AccessRule[Member][] }

/**
 * Returns one list per field, whose rows are the tuples. The same set always returns the same
 * lists.
 */
function listsOf(set: Tuples): readonly List[] {
  const known = listed.get(set)
  if (known !== undefined) return known
  const lists = set.members.map((member) => ({
    member,
    values: set.rules.map((rule) => rule[member]),
  }))
  listed.set(set, lists)
  return lists
}

const listed = new WeakMap<Tuples, readonly List[]>()

function typeOf(member: Member): Sql {
  return member === 'period' ? sql`integer[]` : sql`text[]`
}

/** What a query requests, as far as it is known in advance. A missing field stands for anything. */
export type RequestedData = {
  readonly origins?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
}

/**
 * Reports whether all requested data is certainly open to the caller. Depends only on the rules and
 * the request, never on data, so that the result reveals nothing about existing records.
 */
export function seesAll(visibility: Visibility, area: Area, asked: RequestedData = {}): boolean {
  if (visibility.kind === 'everything') return true
  const opened = openedWhole(visibility, area)
  const opens = (origin: string | null, type: string | null) => opened.has(pairKey(origin, type))
  if (opens(null, null)) return true
  const origins = asked.origins ?? [null]
  return (asked.types ?? [null]).every(
    (type) =>
      opens(null, type) || origins.every((origin) => opens(origin, null) || opens(origin, type)),
  )
}

/** Opened pairs by visibility. The same rules apply to every request until they change. */
const rememberedOpenings = new WeakMap<Restricted, Map<Area, ReadonlySet<string>>>()

/**
 * Returns the pairs of origin and type that rules open completely: for every data type and period.
 */
function openedWhole(visibility: Restricted, area: Area): ReadonlySet<string> {
  const known = rememberedOpenings.get(visibility) ?? new Map<Area, ReadonlySet<string>>()
  rememberedOpenings.set(visibility, known)
  const cached = known.get(area)
  if (cached !== undefined) return cached
  const isWhole = (rule: AccessRule) =>
    (rule.area === null || rule.area === area) && rule.dataType === null && rule.period === null
  const found = new Set(
    visibility.rules.filter(isWhole).map(({ origin, type }) => pairKey(origin, type)),
  )
  known.set(area, found)
  return found
}

function pairKey(origin: string | null, type: string | null): string {
  return JSON.stringify([origin, type])
}
