import { toRegex } from '../../lang/index.ts'
import { all, any, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Literal } from './lexer.ts'
import type { Resolved, Target, Test } from './resolve.ts'

/**
 * Compiles a `where`. It follows the three-valued logic of SQL: a comparison with a missing value
 * is unknown and does not match, whatever the operator (reference 2.4).
 */
export function compileWhere(condition: Resolved): Sql {
  switch (condition.kind) {
    case 'and':
      return all(condition.of.map(compileWhere))
    case 'or':
      return any(condition.of.map(compileWhere))
    case 'test':
      return sql`(${compileTest(condition)})`
  }
}

function compileTest({ target, operator, value }: Test): Sql {
  if (value.kind === 'list') return compileList(target, operator, value.items)
  if (value.kind === 'null') return isAbsent(target, operator)
  const left = sideOf(target, value.kind)
  const pattern = patternOperators.get(operator)
  if (pattern !== undefined && value.kind === 'text') {
    return sql`${left} collate "default" ${pattern} ${toRegex(value.value)}`
  }
  const comparison = comparisonOperators.get(operator) ?? sql`=`
  return sql`${left} ${comparison} ${String(value.value)}::${typeOf(target, value.kind)}`
}

const comparisonOperators: ReadonlyMap<string, Sql> = new Map([
  ['eq', sql`=`],
  ['neq', sql`<>`],
  ['lt', sql`<`],
  ['gt', sql`>`],
  ['lteq', sql`<=`],
  ['gteq', sql`>=`],
])

const patternOperators: ReadonlyMap<string, Sql> = new Map([
  ['re', sql`~`],
  ['ire', sql`~*`],
  ['nre', sql`!~`],
  ['nire', sql`!~*`],
])

/**
 * Compiles `in` and `nin`. Items of one type are compared together. Items of another type than the
 * value are ignored, unless all are; a null item is unknown, so `nin` with it matches nothing
 * (reference 2.4).
 */
function compileList(target: Target, operator: string, items: readonly Literal[]): Sql {
  if (target.kind === 'geometry') return compilePlace(target.expression, operator, items)
  const comparisons = kinds.flatMap((kind) => {
    const values = items.flatMap((item) =>
      item.kind !== 'null' && item.kind === kind ? [String(item.value)] : [],
    )
    const list = sql`(${values}::${typeOf(target, kind)}[])`
    return values.length === 0 ? [] : [{ left: sideOf(target, kind), list }]
  })
  const unknown = items.some(({ kind }) => kind === 'null') ? [sql`null::boolean`] : []
  if (operator === 'in') {
    return any([...comparisons.map(({ left, list }) => sql`${left} = any${list}`), ...unknown])
  }
  const differ = comparisons.map(({ left, list }) => sql`${left} <> all${list}`)
  if (comparisons.length < 2) return all([...differ, ...unknown])
  const sides = join(
    comparisons.map(({ left }) => left),
    ', ',
  )
  const ofKnown = differ.map((test) => sql`coalesce(${test}, true)`)
  return all([...ofKnown, sql`num_nonnulls(${sides}) > 0`, ...unknown])
}

type Kind = Exclude<Literal['kind'], 'null'>

const kinds: readonly Kind[] = ['text', 'number', 'boolean', 'time']

/** Returns what is compared with a value of a kind: null if it is of another kind. */
function sideOf(target: Target, kind: Kind): Sql {
  if (target.kind === 'value') return kind === 'number' ? target.number : target.text
  if (target.kind !== 'path') return target.expression
  const { root, path } = target
  if (kind === 'text') return sql`(${root} #>> ${path}::text[])`
  const found = sql`(${root} #> ${path}::text[])`
  return sql`(case when jsonb_typeof(${found}) = ${kind} then ${found}::${typeOf(target, kind)} end)`
}

/** Returns the type to compare in. JSON numbers may be larger than any double. */
function typeOf(target: Target, kind: Kind): Sql {
  switch (kind) {
    case 'text':
      return sql`text`
    case 'boolean':
      return sql`boolean`
    case 'time':
      return sql`timestamptz`
    case 'number':
      return target.kind === 'path' ? sql`numeric` : sql`double precision`
  }
}

/**
 * Tests whether a value is missing or exists. Here a measured value exists if it is a number or a
 * text; one that is JSON is only reached by a path (reference 2.6).
 */
function isAbsent(target: Target, operator: string): Sql {
  const wantsNothing = operator === 'eq'
  if (target.kind === 'value') {
    const { number, text, json } = target
    return wantsNothing
      ? sql`num_nonnulls(${number}, ${text}, ${json}) = 0`
      : sql`num_nonnulls(${number}, ${text}) > 0`
  }
  const tested =
    target.kind === 'path'
      ? sql`(${target.root} #> ${target.path}::text[])`
      : sql`(${target.expression})`
  const test = wantsNothing ? sql`${tested} is null` : sql`${tested} is not null`
  const isValue = target.kind === 'path' && target.of === 'value'
  return isValue ? sql`${target.root} is not null and ${test}` : test
}

/**
 * Compiles the geographic operators (interface 4.9, decision D45). Each starts with a box that a
 * spatial index serves. A place that does not exist has no box, so it matches nothing. A box whose
 * corners are equal is a point: PostGIS finds nothing in a polygon that is one.
 */
function compilePlace(geometry: Sql, operator: string, items: readonly Literal[]): Sql {
  const numbers = items.flatMap((item) => (item.kind === 'number' ? [item.value] : []))
  if (operator === 'dlt') return isCloser(geometry, numbers)
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, srid = wgs84] = numbers
  const box =
    x1 === x2 && y1 === y2
      ? sql`point_from(${x1}::float8, ${y1}::float8, ${srid}::integer)`
      : sql`box_between(${x1}::float8, ${y1}::float8, ${x2}::float8, ${y2}::float8, ${srid}::integer)`
  const test = operator === 'bbi' ? sql`ST_Intersects` : sql`ST_CoveredBy`
  return sql`${geometry} && ${box} and ${test}(${geometry}, ${box})`
}

const wgs84 = 4326

/**
 * Compares the distance in metres on the sphere, from the nearest point of a line (reference 2.5).
 */
function isCloser(geometry: Sql, [metres = 0, x = 0, y = 0, srid = wgs84]: readonly number[]): Sql {
  const centre = sql`point_from(${x}::float8, ${y}::float8, ${srid}::integer)`
  return sql`
    ${geometry} && box_around(${centre}, ${metres}::float8)
    and ST_DistanceSphere(${geometry}, ${centre}) < ${metres}::float8`
}
