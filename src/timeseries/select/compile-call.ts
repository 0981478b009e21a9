import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Field } from '../catalogue/field.ts'
import type { Aggregate, Call } from './ast.ts'
import { rejectedSelect } from './rejected-select.ts'

export type CompiledCall = {
  /** What the function is applied to, in each row. */
  readonly argument: Sql
  readonly apply: (argument: Sql) => Sql
  /** Rows that the aggregate passes over: texts and JSON are no numbers. */
  readonly counts: Sql | undefined
}

/**
 * An aggregate of a numeric field (decision D44); `count` takes any field and counts what is there.
 * @throws AppError HUB-QRY-009
 */
export function compileCall({ aggregate, of, position }: Call, field: Field): CompiledCall {
  const apply = functions[aggregate]
  const root = of.path.length === 0 ? undefined : jsonOf(field)
  if (root !== undefined) {
    const found = sql`nullif(${root} #> ${of.path}::text[], 'null'::jsonb)`
    return { argument: aggregate === 'count' ? found : toNumber(found), apply, counts: undefined }
  }
  const number = of.path.length > 0 ? undefined : numberOf(field)
  if (number !== undefined) {
    const counts = field.parts === undefined ? undefined : sql`${number} is not null`
    return { argument: number, apply, counts }
  }
  if (aggregate === 'count' && of.path.length === 0) {
    return { argument: field.expression, apply, counts: undefined }
  }
  throw rejectedSelect({
    detail: `${aggregate} needs numbers, and ${of.text} holds none`,
    position,
    expected: ['mvalue', 'mperiod', 'a path in JSON', `count(${of.name})`],
  })
}

const functions: Readonly<Record<Aggregate, (argument: Sql) => Sql>> = {
  min: (argument) => sql`min(${argument})`,
  max: (argument) => sql`max(${argument})`,
  avg: (argument) => sql`avg(${argument})::double precision`,
  sum: (argument) => sql`sum(${argument})`,
  count: (argument) => sql`count(${argument})`,
}

function numberOf({ type, expression, parts }: Field): Sql | undefined {
  return parts?.number ?? (type === 'integer' ? expression : undefined)
}

function jsonOf({ type, expression, parts }: Field): Sql | undefined {
  return parts?.json ?? (type === 'json' ? expression : undefined)
}

/** JSON numbers may be larger than any double; such a one is passed over. */
function toNumber(json: Sql): Sql {
  return sql`
    case when jsonb_typeof(${json}) = 'number' then
      case when abs((${json})::numeric) < 1e300 then (${json})::double precision end
    end`
}
