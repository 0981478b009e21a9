import { LRUCache } from 'lru-cache'
import { all, any, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { arrayLiteral } from './array-literal.ts'
import { members, mergeRules } from './merge-rules.ts'
import type { Box, Member, Merged, Tuples } from './merge-rules.ts'
import type { AccessRule, Area } from './rules.ts'
import type { Visibility } from './visibility.ts'

/** Where a plan finds what rules speak of. Rules on a member without a column match nothing. */
export type VisibleColumns = {
  /** Boolean; where it is null, the row counts as closed. */
  readonly closed: Sql
  /** Text; a null origin is matched only by a rule for any origin. */
  readonly origin: Sql
  readonly type: Sql
  readonly dataType?: Sql
  /** Integer, seconds. */
  readonly period?: Sql
  /** The types that rows can have, where the plan knows: rules for other types need not be asked. */
  readonly types?: readonly string[] | undefined
}

/** The condition under which a row may be shown: it is open, or a rule opens it (decision D60). */
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

/** Merging is worth remembering: the same rules come with every request until they change. */
const remembered = new WeakMap<Restricted, LRUCache<string, Merged>>()

/** Callers choose the types of a read, so what is remembered of them is bounded. */
const rememberedReads = 100

function merged(visibility: Restricted, area: Area, columns: VisibleColumns): Merged {
  const absent = members.filter((member) => columns[member] === undefined)
  const known = remembered.get(visibility) ?? new LRUCache({ max: rememberedReads })
  remembered.set(visibility, known)
  const key = JSON.stringify([area, absent, columns.types])
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const applies = (rule: AccessRule) =>
    (rule.area === null || rule.area === area) && absent.every((member) => rule[member] === null)
  const found = mergeRules(narrowed(visibility.rules.filter(applies), columns.types))
  known.set(key, found)
  return found
}

/** Leaves out the rules for other types; where there is one type only, a rule need not name it. */
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

/** A hashed set, however many tuples there are; one condition each would grow with the rules. */
function matchesTuple(set: Tuples, columns: VisibleColumns): Sql {
  const compared = set.members.flatMap((member) => columns[member] ?? [])
  const lists = listsOf(set).map(
    ({ member, values }) => sql`${arrayLiteral(values)}::${typeOf(member)}`,
  )
  return sql`(${join(compared, ', ')}) in (select * from unnest(${join(lists, ', ')}))`
}

type List = { readonly member: Member; readonly values: readonly AccessRule[Member][] }

/** One list for each member, of which the tuples are the rows; the same lists for the same set. */
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
