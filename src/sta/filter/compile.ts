import { printGeometry } from '../../content/index.ts'
import { LanguageError, hintAt } from '../../lang/index.ts'
import { all, any, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Kind, Property } from '../properties.ts'
import { findProperty, joined, scopeOf } from '../scope.ts'
import type { Scope } from '../scope.ts'
import { findFunction, functionNames } from './functions.ts'
import type { Function } from './functions.ts'
import type { Expression, Operator, Path } from './grammar.ts'

/**
 * Compiles a `$filter` into a condition in SQL's three-valued logic. Functions of null are null,
 * comparisons with it are false where that makes a difference. If a path leads to several
 * entities, one of them must match. Conditions that are joined by `and` apply to the same entity.
 * @throws LanguageError for names that do not exist, and for values that cannot be compared
 */
export function compileFilter(expression: Expression, scope: Scope): Sql {
  return compileAll(conjuncts(expression), scope)
}

/** Splits an expression into conditions that must all be true. */
export function conjuncts(expression: Expression): readonly Expression[] {
  const isJoined = expression.kind === 'operation' && expression.operator === 'and'
  return isJoined ? expression.of.flatMap(conjuncts) : [expression]
}

function compileAll(conditions: readonly Expression[], scope: Scope): Sql {
  const plain = conditions.filter((one) => one.kind !== 'not' && !isEither(one))
  const steps = plain.flatMap(pathsOf).map((path) => stepAway(path, scope))
  const step = steps.find((found) => found !== undefined)
  if (step === undefined) return all(conditions.map((one) => compileOne(one, scope)))
  const [together, others] = [true, false].map((isOfStep) =>
    conditions.filter((one) => pathsOf(one).some((path) => startsWith(path, step)) === isOfStep),
  )
  const found = throughRelation(step, scope, (inner) => compileAll(together ?? [], inner))
  return others?.length === 0 ? found : all([found, compileAll(others ?? [], scope)])
}

const isEither = (expression: Expression) =>
  expression.kind === 'operation' && expression.operator === 'or'

function compileOne(expression: Expression, scope: Scope): Sql {
  if (expression.kind === 'not') {
    return sql`(not ${compileFilter(expression.of, { ...scope, isOperand: true })})`
  }
  if (expression.kind === 'operation' && expression.operator === 'or') {
    return any(expression.of.map((part) => compileFilter(part, scope)))
  }
  return as(expression, 'boolean', scope)
}

/**
 * Returns the names up to the first related row that is not joined yet; undefined if the path leads
 * to none.
 */
function stepAway({ names }: Path, { entity, related }: Scope): readonly string[] | undefined {
  const [name = '', ...rest] = names
  const bound = related.get(name)
  if (bound === undefined) return Object.hasOwn(entity.relations, name) ? [name] : undefined
  const further = stepAway({ kind: 'path', names: rest, position: 0 }, bound)
  return further === undefined ? undefined : [name, ...further]
}

const startsWith = ({ names }: Path, step: readonly string[]) =>
  step.every((name, index) => names[index] === name)

/** Joins the row to which a step leads, and compiles the condition on it as well. */
function throughRelation(
  [name = '', ...rest]: readonly string[],
  scope: Scope,
  condition: (inner: Scope) => Sql,
): Sql {
  const { entity, row, view } = scope
  const withRelated = (found: Scope) =>
    condition({ ...scope, related: new Map([...scope.related, [name, found]]) })
  const bound = scope.related.get(name)
  if (bound !== undefined) return throughRelation(rest, bound, withRelated)
  const relation = entity.relations[name]
  if (relation === undefined) return condition(scope)
  const target = scopeOf(view, view.entities[relation.target])
  if (relation.target === 'Observation') view.compared.add(name)
  return sql`exists (
    select from (${target.entity.table}) as ${target.row}
    where ${joined(relation, row, target.row)} and ${withRelated(target)})`
}

export function pathsOf(expression: Expression): readonly Path[] {
  switch (expression.kind) {
    case 'path':
      return [expression]
    case 'call':
    case 'operation':
      return expression.of.flatMap(pathsOf)
    case 'not':
    case 'minus':
      return pathsOf(expression.of)
    default:
      return []
  }
}

/**
 * Type of an expression before it is compared. A date becomes a time or a text, depending on what
 * it is compared with.
 */
type Shape = Property['type'] | 'null' | 'date' | 'duration'

function shapeOf(expression: Expression, scope: Scope): Shape {
  switch (expression.kind) {
    case 'path':
      return findProperty(expression, scope).property.type
    case 'call':
      return functionOf(expression).gives
    case 'not':
      return 'boolean'
    case 'minus':
      return 'number'
    case 'operation':
      if (!isArithmetic(expression.operator)) return 'boolean'
      return shapeOf(expression.of[1], scope) === 'duration' ? 'time' : 'number'
    default:
      return expression.kind
  }
}

/**
 * Compiles an expression into a value of this kind.
 * @throws LanguageError if it cannot be of this kind
 */
function as(expression: Expression, kind: Kind, scope: Scope): Sql {
  const shape = shapeOf(expression, scope)
  const isDate = shape === 'date' && (kind === 'time' || kind === 'text')
  if (shape !== kind && shape !== 'any' && !isDate) throw unfit(expression, shape, kind)
  switch (expression.kind) {
    case 'path': {
      const { property, row } = findProperty(expression, scope)
      return property.as(row, kind)
    }
    case 'call':
      return call(expression, scope)
    case 'not':
      return compileOne(expression, scope)
    case 'minus':
      return sql`(- ${as(expression.of, 'number', scope)})`
    case 'operation':
      return operate(expression, scope)
    case 'geometry':
      return sql`${`SRID=4326;${printGeometry(expression.value)}`}::geometry`
    case 'number':
      return sql`${String(expression.value)}::double precision`
    case 'boolean':
      return sql`${expression.value}::boolean`
    case 'date':
      return kind === 'time'
        ? sql`${`${expression.value}T00:00:00Z`}::timestamptz`
        : sql`${expression.value}::text`
    case 'time':
      return sql`${expression.value}::timestamptz`
    case 'text':
      return sql`${expression.value}::text`
    case 'null':
    case 'duration':
      throw unfit(expression, shape, kind)
  }
}

const shapeNames: Readonly<Record<Shape, string>> = {
  ...{ text: 'a text', number: 'a number', boolean: 'true or false', time: 'a time' },
  ...{ geometry: 'a geometry', date: 'a date', duration: 'a duration', null: 'null' },
  ...{
    any: 'any value',
    none: 'phenomenonTime of Datastreams',
    id: 'the identifier of an observation',
  },
}

function unfit({ position }: Expression, found: Shape, expected: Kind): LanguageError {
  const message = `Expected ${shapeNames[expected]} at position ${String(position)}, found ${shapeNames[found]}.`
  return new LanguageError(message, { position, expected: [shapeNames[expected]] })
}

type Call = Extract<Expression, { kind: 'call' }>

function functionOf({ name, of, position }: Call): Function {
  const found = findFunction(name)
  if (found === undefined) {
    throw new LanguageError(`There is no function ${name}.`, {
      position,
      expected: functionNames,
      ...hintAt(name, functionNames),
    })
  }
  const fewest = found.of.length - (found.optional ?? 0)
  if (of.length >= fewest && of.length <= found.of.length) return found
  const message = `${name} takes ${String(found.of.length)} arguments, not ${String(of.length)}.`
  throw new LanguageError(message, { position })
}

function call(expression: Call, scope: Scope): Sql {
  const found = functionOf(expression)
  const values = expression.of.map((value, index) => as(value, found.of[index] ?? 'text', scope))
  return found.write(...values)
}

type Operation = Extract<Expression, { kind: 'operation' }>
type Arithmetic = 'add' | 'sub' | 'mul' | 'div' | 'mod'
type Comparison = Exclude<Operator, Arithmetic | 'and' | 'or'>

const isArithmetic = (operator: Operator): operator is Arithmetic => operator in arithmetic

const arithmetic: Readonly<Record<Arithmetic, (left: Sql, right: Sql) => Sql>> = {
  add: (left, right) => sql`(${left} + ${right})`,
  sub: (left, right) => sql`(${left} - ${right})`,
  mul: (left, right) => sql`(${left} * ${right})`,
  // Division by zero yields null.
  div: (left, right) => sql`(${left} / nullif(${right}, 0))`,
  mod: (left, right) =>
    sql`mod((${left})::numeric, nullif((${right})::numeric, 0))::double precision`,
}

const comparisons: Readonly<Record<Comparison, Sql>> = {
  ...{ eq: sql`=`, ne: sql`is distinct from`, gt: sql`>` },
  ...{ ge: sql`>=`, lt: sql`<`, le: sql`<=` },
}

function operate(expression: Operation, scope: Scope): Sql {
  const { operator, of } = expression
  const [left, right] = of
  if (operator === 'and' || operator === 'or') return compileFilter(expression, scope)
  if (!isArithmetic(operator)) return compare(operator, of, scope)
  if (right.kind === 'duration') return shift(expression, scope)
  return arithmetic[operator](as(left, 'number', scope), as(right, 'number', scope))
}

/**
 * Compiles a time plus or minus a duration. A single duration is too short to leave the range of
 * times that the database supports.
 */
function shift({ operator, of: [left, right], position }: Operation, scope: Scope): Sql {
  const isShift = operator === 'add' || operator === 'sub'
  if (!isShift || left.kind === 'operation' || right.kind !== 'duration') {
    throw new LanguageError('A duration can be added to a time, or subtracted from one, once.', {
      position,
    })
  }
  return arithmetic[operator](as(left, 'time', scope), sql`${right.value}::interval`)
}

function compare(operator: Comparison, sides: Operation['of'], scope: Scope): Sql {
  const [left, right] = sides
  const found = compareId(operator, sides, scope)
  if (found !== undefined) return found
  if (left.kind === 'null' || right.kind === 'null') return compareNull(operator, sides, scope)
  const shapes = sides.map((side) => shapeOf(side, scope))
  const known = shapes.find((shape) => shape !== 'any' && shape !== 'date')
  const kind = known ?? (shapes.includes('date') ? 'text' : undefined)
  const write = (one: Kind) => {
    const [first, second] = sides.map((side) => as(side, one, { ...scope, isOperand: true }))
    // The order of texts must be the same on every server.
    const order = one === 'text' ? sql` collate "C"` : sql``
    return sql`(${first} ${comparisons[operator]} ${second}${order})`
  }
  // A comparison with null is false (OData 4.01, URL conventions, 5.1.1.1).
  const settle = (condition: Sql) =>
    scope.isOperand === true ? sql`coalesce(${condition}, false)` : condition
  if (kind === undefined) return settle(sql`coalesce(${write('number')}, ${write('text')})`)
  if (isComparable(kind)) return settle(write(kind))
  throw new LanguageError(`${shapeNames[kind]} cannot be compared.`, { position: left.position })
}

const turned: Readonly<Record<Comparison, Comparison>> = {
  ...{ eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' },
}

/**
 * Compares an identifier with a number or a text by indexed columns; undefined for any other
 * comparison.
 */
function compareId(
  operator: Comparison,
  [left, right]: Operation['of'],
  scope: Scope,
): Sql | undefined {
  const isTurned = left.kind !== 'path' && right.kind === 'path'
  if (isTurned) return compareId(turned[operator], [right, left], scope)
  const written = digitsOf(right)
  if (left.kind !== 'path' || written === undefined) return undefined
  const { property, row } = findProperty(left, scope)
  if (property.compareId === undefined) return undefined
  const found = property.compareId(row, written, comparisons[operator])
  if (operator === 'eq') return found ?? sql`false`
  return operator === 'ne' ? (found ?? sql`true`) : found
}

/** Returns the original spelling of a literal that is compared with an identifier. */
export function digitsOf(literal: Expression): string | undefined {
  if (literal.kind === 'text') return literal.value
  return literal.kind === 'number' ? (literal.digits ?? String(literal.value)) : undefined
}

function isComparable(shape: Shape): shape is 'text' | 'number' | 'boolean' | 'time' {
  return shape === 'text' || shape === 'number' || shape === 'boolean' || shape === 'time'
}

function compareNull(operator: Comparison, sides: Operation['of'], scope: Scope): Sql {
  const path = sides.find((side) => side.kind === 'path')
  if (path === undefined || (operator !== 'eq' && operator !== 'ne')) {
    throw new LanguageError('Only a property can be compared with null, by eq and ne.', {
      position: sides[0].position,
    })
  }
  const { property, row } = findProperty(path, scope)
  return operator === 'eq' ? property.isNull(row) : sql`(not ${property.isNull(row)})`
}
