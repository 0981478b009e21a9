import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Likeness, Membership, Scalar, Segment } from './ast.ts'
import { printNumber } from './parse-number.ts'
import { toPattern } from './pattern.ts'
import { narrowing } from './narrowing.ts'
import { isHidden, jsonAt } from './resolve.ts'
import type { StoredField } from './resolve.ts'

/**
 * `in` and `nin`: whether one of the values that the field selects equals one of those listed, type
 * and all. Arrays are looked into wherever one stands, with or without `[*]` (decision D35).
 */
export function compileMembership(field: StoredField, { test, values }: Membership): Sql {
  const { root, path } = toSelection(field)
  const filter = values.map((value) => `@ == ${toJsonPathLiteral(value)}`).join(' || ')
  const exact = sql`coalesce(${root} @? ${`${path} ? (${filter})`}::jsonpath, false)`
  return test === 'in' ? sql`(${narrowing(field, values)}${exact})` : sql`(not ${exact})`
}

/** `likein`: whether a text that the field selects is like one of the patterns, in any case. */
export function compileLikeness(field: StoredField, { patterns }: Likeness): Sql {
  const { root, path } = toSelection(field)
  const read = patterns.map(toPattern)
  const pieces = read.flatMap((pattern) =>
    pattern.kind === 'text' ? [contains(pattern.text)] : [],
  )
  const regexes = read.flatMap((pattern) => (pattern.kind === 'regex' ? [pattern.source] : []))
  return sql`exists (
    select from jsonb_path_query(${root}, ${`${path}[*] ? (@.type() == "string")`}::jsonpath) as found (value)
    where value #>> '{}' ilike any(${pieces}::text[]) or value #>> '{}' ~* any(${regexes}::text[]))`
}

function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * The JSON to start from and the path from there. A number in front of any array step is left to
 * PostgreSQL's own paths: they know whether it counts elements or names a member.
 */
function toSelection(field: StoredField): { readonly root: Sql; readonly path: string } {
  const { segments } = field
  const firstEach = segments.findIndex(({ kind }) => kind === 'each')
  const plain = firstEach === -1 ? segments : segments.slice(0, firstEach)
  const head = plain.findLastIndex((segment) => isIndex(segment)) + 1
  // In front of the first array step, every segment is a name.
  const isWhole = head === 0 && !isHidden(field)
  const root = isWhole
    ? sql`data`
    : sql`(${jsonAt({ ...field, names: field.names.slice(0, Math.max(head, 1)) })})`
  return { root, path: `$${segments.slice(head).map(toAccessor).join('')}` }
}

function toAccessor(segment: Segment): string {
  if (segment.kind === 'each') return '[*]'
  const { name } = segment
  return isIndex(segment) ? `[${Number(name)}]` : `.${JSON.stringify(name)}`
}

function isIndex(segment: Segment): boolean {
  return segment.kind === 'name' && /^\d{1,6}$/.test(segment.name)
}

/** The value as jsonpath spells it; no stored number is infinite, so that one equals nothing. */
function toJsonPathLiteral(value: Scalar): string {
  if (value.kind !== 'number') return JSON.stringify(value.value)
  return Number.isFinite(value.value) ? printNumber(value.value) : '"" && 1 == 0'
}
