import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Field, FieldType } from '../catalogue/groups.ts'
import { aggregates, rejectedSelect } from './grammar.ts'
import type { Aggregate, Call } from './grammar.ts'

export type CompiledCall = {
  /** The argument of the function in each row. */
  readonly argument: Sql
  readonly apply: (argument: Sql, part?: MakePart) => Sql
}

/**
 * Builds an aggregate: over all rows at once, or first over some rows, whose results `combine` then
 * merges.
 */
export type MakePart = (part: Sql, combine: (part: Sql) => Sql) => Sql

const atOnce: MakePart = (part) => part

/**
 * Compiles an aggregate of a numeric field (decision D44). It ignores texts and JSON. `count`
 * accepts any field and counts its values.
 * @throws AppError HUB-QRY-009
 */
export function compileCall(
  { aggregate: written, of, position }: Call,
  field: Field,
): CompiledCall {
  const aggregate = aggregates.find((known) => known === written)
  if (aggregate === undefined) {
    throw rejectedSelect({
      detail: `${written} is available for buckets of time only`,
      position,
      expected: aggregates,
      hint: 'Add the parameter bucket to a path with {from}/{to}.',
    })
  }
  const apply = functions[aggregate]
  const applyToDoubles = aggregateDoubles[aggregate]
  const root = of.path.length === 0 ? undefined : jsonOf(field)
  if (root !== undefined) {
    const found = sql`nullif(${root} #> ${of.path}::text[], 'null'::jsonb)`
    return aggregate === 'count'
      ? { argument: found, apply }
      : { argument: toNumber(found), apply: applyToDoubles }
  }
  if (aggregate === 'count' && of.path.length === 0) {
    return { argument: field.parts?.present ?? field.expression, apply }
  }
  const number = of.path.length > 0 ? undefined : numberOf(field)
  if (number !== undefined) {
    return { argument: number, apply: field.parts === undefined ? apply : applyToDoubles }
  }
  throw rejectedSelect({
    detail: `${aggregate} needs numbers, and ${of.text} holds none`,
    position,
    expected: ['mvalue', 'mperiod', 'a path in JSON', `count(${of.name})`],
  })
}

type Apply = CompiledCall['apply']

const min = (argument: Sql) => sql`min(${argument})`
const max = (argument: Sql) => sql`max(${argument})`
const sum = (argument: Sql) => sql`sum(${argument})`
const count = (argument: Sql) => sql`count(${argument})`

export const countRows: Apply = (argument, part = atOnce) =>
  sql`coalesce(${part(count(argument), sum)}, 0)::bigint`

const functions: Readonly<Record<Aggregate, Apply>> = {
  min: (argument, part = atOnce) => part(min(argument), min),
  max: (argument, part = atOnce) => part(max(argument), max),
  avg: (argument, part = atOnce) =>
    sql`(${part(sum(argument), sum)}::numeric / nullif(${part(count(argument), sum)}, 0))::double precision`,
  sum: (argument, part = atOnce) => part(sum(argument), sum),
  count: countRows,
}

/** Aggregates of doubles. PostgreSQL fails if a sum is too large for a double. */
const aggregateDoubles: typeof functions = {
  ...functions,
  avg: (argument, part = atOnce) => {
    const [small, large] = sumsOf(argument, part)
    const number = sql`nullif(${part(count(argument), sum)}, 0)`
    const exact = sql`(${exactSum(small, large)}) / ${number}`
    // Dividing to less than the smallest double is an error.
    const smallest = sql`${number} * '5e-324'::double precision`
    const mean = sql`case when abs(${small}) >= ${smallest} then ${small} / ${number} else ${small} end`
    return sql`case when ${large} is null then ${mean} else ${toDouble(exact)} end`
  },
  sum: (argument, part = atOnce) => {
    const [small, large] = sumsOf(argument, part)
    return sql`case when ${large} is null then ${small} else ${toDouble(exactSum(small, large))} end`
  },
}

/** Returns the sum of values that can be added as doubles, and the sum of all others. */
function sumsOf(argument: Sql, part: MakePart): readonly [Sql, Sql] {
  return [part(smallSum(argument), sum), part(largeSum(argument), sum)]
}

const smallSum = (argument: Sql) => sql`sum(${argument}) filter (where abs(${argument}) < 1e100)`

/** Converts by way of text, so that a double keeps all of its digits. */
const largeSum = (argument: Sql) =>
  sql`sum(${argument}::text::numeric) filter (where abs(${argument}) >= 1e100)`

const exactSum = (small: Sql, large: Sql) => sql`${large} + coalesce((${small})::text::numeric, 0)`

/** Converts to a double. A number larger than any double becomes null. */
const toDouble = (number: Sql) =>
  sql`case when abs(${number}) < 1.797693134862315e308 then round(${number}, 300)::double precision end`

function numberOf({ type, expression, parts }: Field): Sql | undefined {
  return parts?.number ?? (isNumber(type) ? expression : undefined)
}

const isNumber = (type: FieldType) => type === 'integer' || type === 'bigint' || type === 'number'

/** Returns the type of an aggregate. A count, or a sum of whole numbers, may need 64 bits. */
export function typeOfCall({ aggregate, of }: Call, { type }: Field): FieldType {
  if (aggregate === 'count') return 'bigint'
  const isWhole = of.path.length === 0 && (type === 'integer' || type === 'bigint')
  return isWhole && aggregate !== 'avg' ? 'bigint' : 'number'
}

function jsonOf({ type, expression, parts }: Field): Sql | undefined {
  return parts?.json ?? (type === 'json' ? expression : undefined)
}

/**
 * Converts a JSON number to a double. JSON numbers may be larger than any double; these become
 * null.
 */
function toNumber(json: Sql): Sql {
  return sql`
    case when jsonb_typeof(${json}) = 'number' then
      case when abs((${json})::numeric) < 1e300 then (${json})::double precision end
    end`
}
