import { LanguageError, hintAt, nearest, toRegex } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { FieldType, Group } from '../catalogue/groups.ts'
import { adviceFor, findField } from '../catalogue/find-field.ts'
import type { Found } from '../catalogue/find-field.ts'
import type { Level } from '../catalogue/levels.ts'
import { adviseTime } from '../time.ts'
import {
  comparable,
  kindNames,
  memberships,
  operators,
  operatorsOf,
  patterns,
  places,
  targetNames,
  meaningless,
} from './grammar.ts'
import type { TargetKind } from './grammar.ts'
import { quote } from './lexer.ts'
import type { Clause, Expression, List, Literal, Operand, Span } from './lexer.ts'

/** A reference system that a geographic operator names, and its position in the source. */
export type NamedSystem = { readonly srid: number; readonly span: Span }

/** The default reference system. Every database has it. */
const wgs84 = 4326

/** Returns the reference systems of a condition that a database may not have. */
export function systemsOf(condition: Resolved): readonly NamedSystem[] {
  if (condition.kind !== 'test') return condition.of.flatMap(systemsOf)
  const { target, operator, value } = condition
  if (target.kind !== 'geometry' || value.kind !== 'list') return []
  const last = value.items[operator === 'dlt' ? 3 : 4]
  return last?.kind === 'number' && last.value !== wgs84
    ? [{ srid: last.value, span: last.span }]
    : []
}

/**
 * Asserts that the database can transform from each reference system. Otherwise nothing would
 * match, and nobody would know why.
 * @throws AppError HUB-QRY-008
 */
export async function assertReferenceSystems(
  database: Queryable,
  systems: readonly NamedSystem[],
): Promise<void> {
  if (systems.length === 0) return
  const wanted = systems.map(({ srid }) => srid)
  const rows = await database.texts(
    sql`select srid from spatial_ref_sys where srid = any(${wanted}::integer[])`,
  )
  const known = new Set(rows.map(([srid]) => Number(srid)))
  const unknown = systems.find(({ srid }) => !known.has(srid))
  if (unknown === undefined) return
  throw meaningless(unknown.span, {
    detail: `There is no reference system ${String(unknown.srid)}`,
    expected: ['an EPSG number, such as 4326, 3857 or 25832'],
    hint: 'Without a number, coordinates are longitude and latitude in 4326.',
  })
}

/** What a clause tests: a column, a path inside JSON, or the columns of a measured value. */
export type Target =
  | { readonly kind: Exclude<TargetKind, 'path' | 'value'>; readonly expression: Sql }
  | {
      readonly kind: 'path'
      readonly root: Sql
      readonly path: readonly string[]
      /** A row whose value is not JSON has no such path. Missing metadata counts as empty. */
      readonly of: 'value' | 'metadata'
    }
  | { readonly kind: 'value'; readonly number: Sql; readonly text: Sql; readonly json: Sql }

export type Test = {
  readonly kind: 'test'
  readonly found: Found
  readonly target: Target
  readonly operator: string
  readonly value: Literal | List
}

/** An expression whose names are columns and whose values match their types. */
export type Resolved = Test | { readonly kind: 'and' | 'or'; readonly of: readonly Resolved[] }

export type Resolution = {
  readonly condition: Resolved
  /** Groups whose fields are named. Their relations must be read. */
  readonly groups: ReadonlySet<Group>
}

/**
 * Resolves the names of a `where` to columns at a depth of the paths, and asserts that every
 * operator and value matches them.
 * @throws AppError HUB-QRY-008 for unknown names, operators, and values of another type
 */
export function resolveWhere(expression: Expression, level: Level): Resolution {
  const groups = new Set<Group>()
  const resolve = (part: Expression): Resolved => {
    if (part.kind !== 'clause') return { kind: part.kind, of: part.of.map(resolve) }
    const found = findNamed(part.operand, level)
    groups.add(found.group)
    return toTest(part, found)
  }
  return { condition: resolve(expression), groups }
}

function toTest(clause: Clause, found: Found): Test {
  const target = toTarget(clause.operand, found)
  assertFits(clause, target.kind)
  return { kind: 'test', found, target, operator: clause.operator, value: clause.value }
}

function findNamed(operand: Operand, level: Level): Found {
  const found = findField(level, operand.name)
  if (found === undefined) throw unknownName(operand, level)
  return found
}

function toTarget(operand: Operand, { field: { type, expression, parts } }: Found): Target {
  if (parts !== undefined) {
    const { path } = operand
    return path.length > 0
      ? { kind: 'path', root: parts.json, path, of: 'value' }
      : { kind: 'value', ...parts }
  }
  if (operand.path.length === 0) return { kind: targetKinds[type], expression }
  if (type === 'json') {
    return { kind: 'path', root: expression, path: operand.path, of: 'metadata' }
  }
  const advice = adviseOnPath(operand, targetKinds[type])
  throw meaningless(operand.span, {
    detail: `${operand.name} is not JSON, so it has no field ${operand.path.join('.')}`,
    ...(advice === undefined ? {} : { hint: advice }),
  })
}

function adviseOnPath({ name, path }: Operand, target: TargetKind): string | undefined {
  if (target === 'geometry') return `Use bbi, bbc or dlt, such as ${name}.bbi.(11,46,12,47)`
  const isSplit = operators.includes(path[0] ?? '')
  return isSplit ? 'Put a text with dots in double quotes: "a.b"' : undefined
}

const targetKinds: Readonly<Record<FieldType, Exclude<TargetKind, 'path' | 'value'>>> = {
  text: 'text',
  boolean: 'boolean',
  integer: 'number',
  bigint: 'number',
  number: 'number',
  time: 'time',
  json: 'json',
  value: 'json',
  point: 'geometry',
  geometry: 'geometry',
}

function unknownName({ name, span }: Operand, level: Level) {
  const expected = level.groups.flatMap(({ fields }) => fields.map((field) => field.name))
  const advice = adviceFor(level, name, expected)
  const meant = nearest(name, expected)
  return meaningless(span, {
    detail: `There is no field ${name} at this path`,
    expected:
      meant === undefined ? expected : [meant, ...expected.filter((known) => known !== meant)],
    ...(advice === undefined ? {} : { hint: advice }),
  })
}

/**
 * Asserts that a clause can be tested: its operator accepts such a value, and the value is of the
 * type that its field holds (reference 2.4, decision D45).
 * @throws AppError HUB-QRY-008
 */
function assertFits(clause: Clause, target: TargetKind): void {
  const { value } = clause
  if (value.kind !== 'list') assertComparable(clause, target, value)
  assertOperator(clause, target)
  if (value.kind !== 'list') {
    assertPattern(clause, value)
  } else if (target === 'geometry') {
    assertPlace(clause, value)
  } else {
    for (const item of value.items) assertComparable(clause, target, item)
  }
}

function assertOperator({ operator, value, span }: Clause, target: TargetKind): void {
  const expected = operatorsFor(target, value)
  if (expected.includes(operator)) return
  const isList = value.kind === 'list'
  const name = isList ? 'a list' : kindNames[value.kind]
  throw meaningless(span, {
    detail: `The operator ${operator} does not take ${name}${isList ? ` for ${targetNames[target].split(':')[0] ?? ''}` : ''}`,
    expected,
    ...hintAt(operator.replace(/^([gl])t?e$/, '$1teq'), expected),
  })
}

function operatorsFor(target: TargetKind, value: Literal | List): readonly string[] {
  if (value.kind !== 'list') return operatorsOf[value.kind]
  if (target === 'geometry') return places
  return target === 'json' ? [] : memberships
}

function assertComparable({ operand }: Clause, target: TargetKind, value: Literal): void {
  const kinds = comparable[target]
  if (value.kind === 'null' || kinds.includes(value.kind)) return
  const hint = kinds.includes('time')
    ? adviseTime(value.written)
    : `As a text it is written ${quote(value.written)}`
  const isWritable = kinds.includes('time') || kinds.includes('text')
  const { name } = operand
  throw meaningless(value.span, {
    detail: `${name} holds ${targetNames[target].replace('{name}', name)}, not ${kindNames[value.kind]}`,
    expected: [...kinds.map((kind) => kindNames[kind]), 'null'],
    ...(isWritable ? { hint } : {}),
  })
}

function assertPattern({ operator }: Clause, value: Literal): void {
  if (value.kind !== 'text' || !patterns.includes(operator)) return
  try {
    toRegex(value.value)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, expected, hint } = error
    throw meaningless(value.span, {
      detail: `The regular expression cannot be read: ${message.replace(/\.$/, '')}`,
      expected,
      hint: hint ?? 'In where, a backslash is written twice: "\\\\d+"',
    })
  }
}

const sizes: Readonly<
  Record<string, { readonly counts: readonly number[]; readonly form: string }>
> = {
  bbi: { counts: [4, 5], form: 'x1,y1,x2,y2[,srid]' },
  bbc: { counts: [4, 5], form: 'x1,y1,x2,y2[,srid]' },
  dlt: { counts: [3, 4], form: 'metres,x,y[,srid]' },
}

const maxSrid = 999_999

/** Asserts the numbers of a geographic operator. Longitude, or x, comes first (interface 4.9). */
function assertPlace({ operator, operand }: Clause, { items, span }: List): void {
  const { counts, form } = sizes[operator] ?? { counts: [], form: '' }
  const numbers = items.flatMap((item) => (item.kind === 'number' ? [item.value] : []))
  const srid = numbers[counts[0] ?? 0] ?? 4326
  const isSrid = Number.isInteger(srid) && srid > 0 && srid <= maxSrid
  const fits = counts.includes(items.length) && numbers.length === items.length
  if (fits && isSrid && numbers.every(Number.isFinite)) return
  throw meaningless(span, {
    detail: `${operator} takes ${counts.join(' or ')} numbers: ${form}`,
    expected: [`${operand.name}.${operator}.(${form})`],
    hint: 'Longitude comes first; without a number of the reference system it is 4326.',
  })
}
