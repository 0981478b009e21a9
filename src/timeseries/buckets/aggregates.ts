import type { Field, FieldType } from '../catalogue/field.ts'
import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { aggregateDoubles } from '../select/compile-call.ts'

/** What can be told of the values of a bucket. */
export const bucketAggregates = ['avg', 'min', 'max', 'count', 'sum', 'first', 'last'] as const
export type BucketAggregate = (typeof bucketAggregates)[number]

/** Those that need numbers. */
const numeric: ReadonlySet<BucketAggregate> = new Set(['avg', 'min', 'max', 'sum'])

/** Whether something can be told of texts and JSON. */
export function isForEveryKind(aggregates: readonly BucketAggregate[]): boolean {
  return aggregates.some((aggregate) => !numeric.has(aggregate))
}

/** The member of an answer: written as `select` writes aggregates (decision D44). */
export function bucketField(aggregate: BucketAggregate): Field {
  const column = sql`m.${identifier(aggregate)}`
  return {
    name: memberOf(aggregate),
    type: typeOf(aggregate),
    expression: column,
    parts: { number: column, text: sql`null::text`, json: sql`null::jsonb` },
  }
}

export function memberOf(aggregate: BucketAggregate): string {
  return `${aggregate}(mvalue)`
}

function typeOf(aggregate: BucketAggregate): FieldType {
  if (aggregate === 'count') return 'bigint'
  return numeric.has(aggregate) ? 'number' : 'value'
}

/** How sums are made: `plain` fails where one is no double any more, and takes half the time. */
export type Arithmetic = 'plain' | 'exact'

/**
 * The columns of a group of rows `v` that have a `valid_time` and a `number`; of the first and last
 * values their times, which tell them.
 */
export function aggregateColumn(aggregate: BucketAggregate, arithmetic: Arithmetic): Sql {
  return sql`${valueOf(aggregate, arithmetic)} as ${identifier(aggregate)}`
}

function valueOf(aggregate: BucketAggregate, arithmetic: Arithmetic): Sql {
  const number = sql`v.number`
  switch (aggregate) {
    case 'min':
    case 'max':
      return aggregateDoubles[aggregate](number)
    case 'sum':
      return arithmetic === 'plain' ? sql`sum(v.number)` : aggregateDoubles.sum(number)
    case 'avg':
      // PostgreSQL's own average also sums the squares, for nothing.
      return arithmetic === 'plain'
        ? sql`sum(v.number) / nullif(count(v.number), 0)`
        : aggregateDoubles.avg(number)
    case 'count':
      return sql`count(*)`
    case 'first':
      return sql`min(v.valid_time)`
    case 'last':
      return sql`max(v.valid_time)`
  }
}
