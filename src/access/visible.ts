import { all, any, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
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

/** Merging is worth remembering: the same rules come with every request until they change. */
const remembered = new WeakMap<Visibility, Map<string, Merged>>()

function merged(
  visibility: Extract<Visibility, { kind: 'rules' }>,
  area: Area,
  columns: VisibleColumns,
): Merged {
  const absent = members.filter((member) => columns[member] === undefined)
  const known = remembered.get(visibility) ?? new Map<string, Merged>()
  remembered.set(visibility, known)
  const key = [area, ...absent].join(' ')
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const applies = (rule: AccessRule) =>
    (rule.area === null || rule.area === area) && absent.every((member) => rule[member] === null)
  const found = mergeRules(visibility.rules.filter(applies))
  known.set(key, found)
  return found
}

function matchesBox(box: Box, columns: VisibleColumns): Sql {
  return all(
    members.flatMap((member) => {
      const column = columns[member]
      const values = box[member]
      return values === null || column === undefined ? [] : [sql`${column} = any(${values})`]
    }),
  )
}

/** A hashed set, however many tuples there are; one condition each would grow with the rules. */
function matchesTuple({ members, rules }: Tuples, columns: VisibleColumns): Sql {
  const compared = members.flatMap((member) => columns[member] ?? [])
  const lists = members.map((member) => listOf(member, rules))
  return sql`(${join(compared, ', ')}) in (select * from unnest(${join(lists, ', ')}))`
}

function listOf(member: Member, rules: readonly AccessRule[]): Sql {
  const values = rules.map((rule) => rule[member])
  return member === 'period' ? sql`${values}::integer[]` : sql`${values}::text[]`
}
