import { all, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { longRange } from '../read/values/choose-series.ts'
import { areNumbers } from '../read/values/packing.ts'
import { chosenIn, groupings } from '../read/values/value-rows.ts'
import type { Grouping } from '../read/values/value-rows.ts'
import { rollupTables } from '../rollups/rollup-tables.ts'
import { millionthsOf, ofParts, partOfParts, partOfValues, partsOf } from './aggregates.ts'
import type { BucketPart } from './aggregates.ts'
import { areBuckets } from './sources.ts'
import type { BucketReading, Rolled, Sources } from './sources.ts'
import type { Piece } from './timeline.ts'

/**
 * Returns a statement that reads the buckets of a window, packed as values are (`valueStatement`).
 * The time of a bucket is its start.
 */
export function bucketStatement(reading: BucketReading, sources: Sources, grouping: Grouping): Sql {
  const { common, own, order } = groupings[grouping]
  const packed = [
    sql`count(*)`,
    sql`array_agg(${own})::text`,
    ...reading.packed.map(({ column }) => column),
  ]
  return sql`
    select ${common}::text, ${join(packed, ', ')}
    from (select * from (${bucketsOf(reading, sources)}) as m order by ${order}) as m
    group by ${common} order by ${common}`
}

/**
 * Returns SQL for the aggregates of each bucket. The first and the last value are looked up by the
 * primary key, once for each bucket.
 */
function bucketsOf(reading: BucketReading, sources: Sources): Sql {
  const { values, series, aggregates } = reading
  const value = areNumbers(series.kinds)
    ? sql`ends.number`
    : sql`coalesce(ends.number::text, ends.json::text, to_json(ends.text)::text)`
  const valueAt = (time: Sql) => sql`(
    select ${value} from ${values.relation} as ends
    where ends.series_id = b.series_id and ends.valid_time = ${time})`
  const columns = aggregates.map(
    (aggregate) => sql`${ofParts(aggregate, valueAt)} as ${identifier(aggregate)}`,
  )
  return sql`
    select b.series_id, b.valid_time, ${join(columns, ', ')}
    from (${allParts(reading, sources)}) as b`
}

/** Returns SQL for the partial aggregates of each bucket, from values and from rollups. */
function allParts(reading: BucketReading, sources: Sources): Sql {
  const parts = partsOf(reading.aggregates)
  const ofValues = sql`
    select v.series_id, v.valid_from as valid_time, ${columnsOf(parts, partOfValues)}
    from (${valuesOf(reading, sources)}) as v group by v.series_id, v.valid_from`
  if (sources.rolled.length === 0) return ofValues
  const some = unionOf([ofValues, ...sources.rolled.map((one) => rolledOf(reading, one))])
  if (areBuckets(sources.rolled)) return some
  return sql`
    select p.series_id, p.valid_time, ${columnsOf(parts, partOfParts)}
    from (${some}) as p group by p.series_id, p.valid_time`
}

function columnsOf(parts: readonly BucketPart[], of: Readonly<Record<BucketPart, Sql>>): Sql {
  return join(
    parts.map((part) => sql`${of[part]} as ${identifier(part)}`),
    ', ',
  )
}

/** Returns SQL for the rollups that are not stale. */
function rolledOf(reading: BucketReading, rolled: Rolled): Sql {
  const { piece, unit, from, to } = rolled
  const [first, end] = [timeOf(from), timeOf(to)]
  const beginning = areBuckets([rolled]) ? sql`m.start` : beginningOf(sql`m.start`, piece)
  const columns = partsOf(reading.aggregates).map((part) => sql`m.${identifier(part)}`)
  const conditions = [
    sql`assert_rollups(${first}, ${end})`,
    sql`m.start >= ${first} and m.start < ${end}`,
    ...chosenIn(reading.series, longRange),
    sql`not exists (
      select from rollup_stale as s
      where s.series_id = m.series_id and s.day = date_trunc('day', m.start, 'UTC')
        and s.day >= date_trunc('day', ${first}, 'UTC') and s.day < ${end})`,
  ]
  return sql`
    select m.series_id, ${beginning}, ${join(columns, ', ')}
    from ${rollupTables[unit]} as m where ${all(conditions)}`
}

/**
 * Returns SQL for the values, each with the start of its bucket. PostgreSQL cannot estimate how few
 * buckets there are, and would sort all values by bucket. From the branches of a union it expects
 * few groups and keeps them in a hash table, so there is always a second branch. It may be empty
 * but must read a table, because otherwise only one process would read.
 */
function valuesOf(reading: BucketReading, { values, rolled }: Sources): Sql {
  const nothing = sql`
    select m.series_id, m.valid_time, m.number, null::bigint, m.valid_time
    from ${reading.values.relation} as m where false`
  const branches = [
    ...values.map((piece) => pieceOf(reading, piece)),
    ...rolled.map((one) => staleOf(reading, one)),
  ]
  return unionOf([...branches, nothing])
}

function pieceOf(reading: BucketReading, piece: Piece): Sql {
  const { relation, joins, where } = reading.values
  const { from, until } = piece
  const conditions = [
    sql`m.valid_time >= ${timeOf(from)}`,
    sql`m.valid_time < ${timeOf(until)}`,
    ...chosenIn(reading.series, until - from),
    where,
  ]
  return sql`
    select ${valueColumns}, ${beginningOf(sql`m.valid_time`, piece)}
    from ${relation} as m ${joins} where ${all(conditions)}`
}

/**
 * Returns SQL for the values of days whose rollups are stale. There are mostly none, so they are
 * looked up series by series (`offset 0`).
 */
function staleOf({ series, values }: BucketReading, { piece, from, to }: Rolled): Sql {
  const [first, end] = [timeOf(from), timeOf(to)]
  const conditions = [
    sql`m.day >= date_trunc('day', ${first}, 'UTC') and m.day < ${end}`,
    ...chosenIn(series, longRange),
  ]
  return sql`
    select ${valueColumns}, ${beginningOf(sql`m.valid_time`, piece)}
    from (select distinct m.series_id, m.day from rollup_stale as m where ${all(conditions)}) as s
    cross join lateral (
      select m.series_id, m.valid_time, m.number from ${values.relation} as m
      where m.series_id = s.series_id and m.valid_time >= greatest(s.day, ${first})
        and m.valid_time < least(s.day + interval '24 hours', ${end})
      offset 0) as m`
}

const valueColumns = sql`
  m.series_id, m.valid_time, m.number, ${millionthsOf(sql`m.number`)} as millionths`

function unionOf(branches: readonly Sql[]): Sql {
  return branches.reduce((others, branch) => sql`${others} union all ${branch}`)
}

function beginningOf(time: Sql, { origin, width }: Piece): Sql {
  return sql`
    date_bin(make_interval(secs => ${width / 1000}::double precision), ${time}, ${timeOf(origin)})
      as valid_from`
}

function timeOf(moment: number): Sql {
  return sql`${new Date(moment).toISOString()}::timestamptz`
}
