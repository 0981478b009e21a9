import { nearest } from '../../lang/index.ts'
import { adviceFor, findField } from '../catalogue/find-field.ts'
import type { Found } from '../catalogue/find-field.ts'
import type { FieldType } from '../catalogue/field.ts'
import type { Group } from '../catalogue/groups.ts'
import type { Level } from '../catalogue/level.ts'
import type { Sql } from '../../sql/index.ts'
import type { Clause, Expression, List, Literal, Operand } from './ast.ts'
import { assertFits } from './assert-fits.ts'
import { meaningless } from './rejected-where.ts'
import type { TargetKind } from './operators.ts'

/** What a clause tests: a column, a place inside JSON, or the columns of a measured value. */
export type Target =
  | { readonly kind: Exclude<TargetKind, 'path' | 'value'>; readonly expression: Sql }
  | {
      readonly kind: 'path'
      readonly root: Sql
      readonly path: readonly string[]
      /** A row whose value is no JSON has no such place; metadata that is absent is empty. */
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

/** An expression whose names are columns and whose values fit them. */
export type Resolved = Test | { readonly kind: 'and' | 'or'; readonly of: readonly Resolved[] }

export type Resolution = {
  readonly condition: Resolved
  /** Whose fields are named: their relations have to be read. */
  readonly groups: ReadonlySet<Group>
}

/**
 * Finds the columns of a `where` at a depth of the paths, and makes sure that every operator and value
 * fits them.
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
  throw meaningless(operand.span, {
    detail: `${operand.name} is no JSON, so it has no member ${operand.path.join('.')}`,
    hint: 'A text with dots stands between double quotes: "a.b"',
  })
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
    detail: `There is no field ${name} at this address`,
    expected:
      meant === undefined ? expected : [meant, ...expected.filter((known) => known !== meant)],
    ...(advice === undefined ? {} : { hint: advice }),
  })
}
