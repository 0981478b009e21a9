import { all, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { areNumbers } from '../read/values/value-kinds.ts'
import { chosenIn, groupings } from '../read/values/value-statement.ts'
import type { Grouping, ValueReading } from '../read/values/value-statement.ts'
import { aggregateColumn } from './aggregates.ts'
import type { Arithmetic, BucketAggregate } from './aggregates.ts'
import type { BucketWindow, Piece } from './bucket-windows.ts'

/** What a read of buckets knows beyond that of their values. */
export type BucketReading = ValueReading & { readonly aggregates: readonly BucketAggregate[] }

type Wanted = {
  readonly window: BucketWindow
  readonly grouping: Grouping
  readonly arithmetic: Arithmetic
}

/** Reads the buckets of a window, packed as values are (`valueStatement`), by the time they begin. */
export function bucketStatement(
  reading: BucketReading,
  { window, grouping, arithmetic }: Wanted,
): Sql {
  const { common, own, order } = groupings[grouping]
  const packed = [
    sql`count(*)`,
    sql`array_agg(${own})::text`,
    ...reading.packed.map(({ column }) => column),
  ]
  const buckets = withEnds(reading, bucketsOf(reading, window, arithmetic))
  return sql`
    select ${common}::text, ${join(packed, ', ')}
    from (select * from (${buckets}) as m order by ${order}) as m
    group by ${common} order by ${common}`
}

function bucketsOf(reading: BucketReading, window: BucketWindow, arithmetic: Arithmetic): Sql {
  const columns = reading.aggregates.map((aggregate) => aggregateColumn(aggregate, arithmetic))
  return sql`
    select v.series_id, v.valid_from as valid_time, ${join(columns, ', ')}
    from (${valuesOf(reading, window)}) as v group by v.series_id, v.valid_from`
}

/**
 * The values, each with the time at which its bucket begins. PostgreSQL cannot know how few buckets
 * there are, and would sort all values by them. Of what comes out of branches it expects few groups, and
 * keeps them in a hash table; so there is always a second branch. It may have nothing, but must be of a
 * table: otherwise only one process would read.
 */
function valuesOf(reading: BucketReading, { pieces }: BucketWindow): Sql {
  const nothing = sql`
    select m.series_id, m.valid_time, m.number, m.valid_time
    from ${reading.values.relation} as m where false`
  return pieces.reduceRight(
    (branches, piece) => sql`${pieceOf(reading, piece)} union all ${branches}`,
    nothing,
  )
}

function pieceOf(reading: BucketReading, { origin, width, from, until }: Piece): Sql {
  const { relation, joins, where } = reading.values
  const conditions = [
    sql`m.valid_time >= ${toIso(from)}::timestamptz`,
    sql`m.valid_time < ${toIso(until)}::timestamptz`,
    ...chosenIn(reading.series),
    where,
  ]
  return sql`
    select m.series_id, m.valid_time, m.number,
      date_bin(
        make_interval(secs => ${width / 1000}::double precision), m.valid_time,
        ${toIso(origin)}::timestamptz) as valid_from
    from ${relation} as m ${joins} where ${all(conditions)}`
}

/** The first and the last value are looked up by the primary key, once for each bucket. */
function withEnds({ values, series, aggregates }: BucketReading, buckets: Sql): Sql {
  const value = areNumbers(series.kinds)
    ? sql`ends.number`
    : sql`coalesce(ends.number::text, ends.json::text, to_json(ends.text)::text)`
  const columns = aggregates.map((aggregate) => {
    const name = identifier(aggregate)
    return aggregate === 'first' || aggregate === 'last'
      ? sql`(
          select ${value} from ${values.relation} as ends
          where ends.series_id = b.series_id and ends.valid_time = b.${name}) as ${name}`
      : sql`b.${name}`
  })
  return sql`select b.series_id, b.valid_time, ${join(columns, ', ')} from (${buckets}) as b`
}

function toIso(moment: number): string {
  return new Date(moment).toISOString()
}
