import { Type } from 'typebox'
import { commaList } from '../../lang/schemas.ts'
import { AppError } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Field, FieldType } from '../catalogue/groups.ts'
import type { Level } from '../catalogue/levels.ts'
import { bucketForms, parseBucketLength } from './timeline.ts'
import type { BucketLength } from './timeline.ts'

/** Aggregates of the values of a bucket that `agg` and `select` support. */
export const bucketAggregates = ['avg', 'min', 'max', 'count', 'sum', 'first', 'last'] as const
export type BucketAggregate = (typeof bucketAggregates)[number]

/** Aggregates that are defined for numbers only. */
const numeric: ReadonlySet<BucketAggregate> = new Set(['avg', 'min', 'max', 'sum'])

/** Reports whether at least one of the aggregates is defined for texts and JSON, too. */
function isForEveryKind(aggregates: readonly BucketAggregate[]): boolean {
  return aggregates.some((aggregate) => !numeric.has(aggregate))
}

/**
 * Returns the field of an aggregate in responses. Its name is spelled as `select` spells aggregates
 * (decision D44).
 */
export function bucketField(aggregate: BucketAggregate): Field {
  const column = sql`m.${identifier(aggregate)}`
  return {
    name: memberOf(aggregate),
    type: typeOf(aggregate),
    expression: column,
    parts: { number: column, text: sql`null::text`, json: sql`null::jsonb`, present: column },
  }
}

export function memberOf(aggregate: BucketAggregate): string {
  return `${aggregate}(mvalue)`
}

function typeOf(aggregate: BucketAggregate): FieldType {
  if (aggregate === 'count') return 'bigint'
  return numeric.has(aggregate) ? 'number' : 'value'
}

/**
 * Partial aggregates that buckets are computed from. They are computed from all values at once, or
 * first from some of the values and stored (rollups). `sum` is exact, so its digits are the same
 * either way, and in whatever order values are read.
 */
export const bucketParts = ['count', 'sum', 'min', 'max', 'first', 'last'] as const
export type BucketPart = (typeof bucketParts)[number]

/** Returns the partial aggregates that some aggregates need. */
export function partsOf(aggregates: readonly BucketAggregate[]): readonly BucketPart[] {
  const isNeeded = (part: BucketPart) =>
    aggregates.includes(part) ||
    (aggregates.includes('avg') && (part === 'sum' || part === 'count'))
  return bucketParts.filter(isNeeded)
}

/**
 * SQL for the partial aggregates of a group of rows `v` with the columns `valid_time`, `number` and
 * `millionths`. `first` and `last` are the times of the first and the last value.
 */
export const partOfValues: Readonly<Record<BucketPart, Sql>> = {
  count: sql`count(*)`,
  sum: exactSum(),
  min: sql`min(v.number)`,
  max: sql`max(v.number)`,
  first: sql`min(v.valid_time)`,
  last: sql`max(v.valid_time)`,
}

/**
 * SQL that merges partial aggregates: combines a group of rows `p` that already hold these parts.
 */
export const partOfParts: Readonly<Record<BucketPart, Sql>> = {
  count: sql`sum(p.count)::bigint`,
  sum: sql`sum(p.sum)`,
  min: sql`min(p.min)`,
  max: sql`max(p.max)`,
  first: sql`min(p.first)`,
  last: sql`max(p.last)`,
}

/**
 * Returns SQL for a number as a whole number of millionths, or null if it has more than six
 * decimals or is not below 1e9. With at most 15 digits, both are the same number. Compute it once
 * per row.
 */
export function millionthsOf(number: Sql): Sql {
  const [most, scale] = [sql`'1e9'::double precision`, sql`'1e6'::double precision`]
  return sql`
    case when abs(${number}) < ${most} and round(${number} * ${scale}) / ${scale} = ${number}
      then (${number} * ${scale})::bigint end`
}

/**
 * Returns SQL for the sum of doubles as the decimal numbers that they are printed as: 0.1 and 0.2
 * make 0.3. Most have few decimals and are added as whole numbers, which takes little longer than
 * adding doubles.
 */
function exactSum(): Sql {
  const few = sql`sum(v.millionths) * 0.000001`
  const many = sql`sum(v.number::text::numeric) filter (where v.millionths is null)`
  return sql`coalesce(${few} + ${many}, ${few}, ${many})`
}

/**
 * Returns SQL for an aggregate of rows `b` with its parts. `valueAt` looks up the value at a time.
 */
export function ofParts(aggregate: BucketAggregate, valueAt: (time: Sql) => Sql): Sql {
  switch (aggregate) {
    case 'avg':
      return average()
    case 'sum':
      return toDouble(sql`b.sum`, sql`b.sum`)
    case 'first':
    case 'last':
      return valueAt(sql`b.${identifier(aggregate)}`)
    case 'min':
    case 'max':
    case 'count':
      return sql`b.${identifier(aggregate)}`
  }
}

/**
 * Returns SQL for the double nearest to the average. Sums of whole millionths that doubles
 * represent exactly are divided as doubles, which is twice as fast. PostgreSQL divides numerics to
 * 16 digits, or to the decimals that they have; doubles need more than 16, hence `0e-40`.
 */
function average(): Sql {
  return sql`
    case when b.sum between -9e9 and 9e9 and scale(b.sum) <= 6
      then (b.sum * 1000000)::bigint / (b.count * '1e6'::double precision)
      else ${toDouble(sql`(b.sum + 0e-40) / b.count`, sql`b.sum`)} end`
}

/**
 * Returns SQL that converts a numeric to a double, or to null if it is larger than any double. The
 * first branch quickly recognizes numbers of the usual size.
 */
function toDouble(number: Sql, size: Sql): Sql {
  return sql`
    case when ${size} = 0 or abs(${size}) between 1e-250 and 1e300 then (${number})::double precision
      when abs(${number}) < 2.5e-324 then 0
      when abs(${number}) < 1.797693134862315e308 then round(${number}, 324)::double precision end`
}

/** Parameters that reduce a range of history to fewer rows than it has values. */
export const reductionParameters = {
  bucket: Type.Optional(
    Type.String({
      maxLength: 40,
      examples: ['1h'],
      description:
        'One row for each series and interval in the local time of `timezone`: an interval such as 15m, 1h, 1d, 1w, 1mo, 1y, or an ISO 8601 duration (PT15M, P3M). mvalidtime is the start of the bucket',
    }),
  ),
  agg: Type.Optional(
    commaList(Type.Enum([...bucketAggregates]), {
      maxItems: 20,
      examples: [['avg', 'max']],
      description:
        'With bucket: aggregates of its values, as fields such as avg(mvalue); default: avg',
    }),
  ),
  points: Type.Optional(
    Type.Integer({
      minimum: 3,
      maximum: 10_000,
      description:
        'Maximum number of rows of each series, chosen to keep the shape of its line (largest triangle, three buckets)',
    }),
  ),
}
export type ReductionQuery = {
  readonly bucket?: string
  readonly agg?: readonly BucketAggregate[]
  readonly points?: number
}

/** How values are reduced to fewer rows: to buckets, to points, or to points of buckets. */
export type Reduction = {
  readonly bucket: Bucketing | undefined
  /** Maximum number of rows of each series; undefined for all. */
  readonly points: number | undefined
}

export type Bucketing = {
  readonly length: BucketLength
  /** Aggregates that `agg` names; undefined if it names none. */
  readonly asked: readonly BucketAggregate[] | undefined
}

/**
 * Returns how a range of values is reduced, or undefined if the request reduces nothing or its path
 * has no range.
 * @throws AppError HUB-QRY-001 for a length that is malformed or too short for the range
 */
export function readReduction(
  { bucket, agg, points }: ReductionQuery,
  { range }: Level,
): Reduction | undefined {
  if (range === undefined) return undefined
  if (bucket === undefined && points === undefined) return undefined
  const length = bucket === undefined ? undefined : readLength(bucket)
  if (length !== undefined) assertCount(length, range)
  const asked = agg === undefined || agg.length === 0 ? undefined : [...new Set(agg)]
  return { bucket: length && { length, asked }, points }
}

/**
 * Returns the names of the parameters without effect, because of the path or of other parameters.
 * @throws AppError HUB-QRY-003 for them under strict handling (decision D3)
 */
export function ignoredReduction(
  query: ReductionQuery,
  reduction: Reduction | undefined,
  handling: 'strict' | 'lenient',
): readonly string[] {
  const heard = reduction === undefined ? [] : ['bucket', 'points']
  if (reduction?.bucket !== undefined) heard.push('agg')
  const given = { bucket: query.bucket, agg: query.agg, points: query.points }
  const ignored = Object.entries(given)
    .filter(([name, value]) => value !== undefined && !heard.includes(name))
    .map(([name]) => name)
  if (handling === 'lenient' || ignored.length === 0) return ignored
  throw new AppError('HUB-QRY-003', `${ignored.join(', ')} would be ignored here.`, {
    hint: 'bucket and points apply to values in a time range; agg applies to bucket.',
    issues: ignored.map((parameter) => ({ parameter, detail: 'has no effect at this path' })),
  })
}

/**
 * Reports whether buckets are a day or longer: the limit of history does not apply to these
 * (decision D62).
 */
export function isCoarse(reduction: Reduction | undefined): boolean {
  const length = reduction?.bucket?.length
  return length !== undefined && length.kind !== 'clock'
}

/** Returns conditions that leave out series of texts and JSON unless an aggregate supports them. */
export function leftOut(
  reduction: Reduction | undefined,
  aggregates: readonly BucketAggregate[],
): readonly Sql[] {
  if (reduction === undefined) return []
  const isAnyKind = reduction.points === undefined && isForEveryKind(aggregates)
  return isAnyKind ? [] : [sql`x.kind = 'number'`]
}

function readLength(written: string): BucketLength {
  try {
    return parseBucketLength(written)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, position, expected } = error
    throw new AppError('HUB-QRY-001', `bucket: ${message}`, {
      hint: `Write a length such as ${bucketForms.join(', ')}; 1m is a minute, 1mo a month.`,
      issues: [{ parameter: 'bucket', detail: message, position, expected }],
    })
  }
}

const maxBuckets = 1_000_000

const oneDay = 86_400_000

/** Returns the average length of buckets in milliseconds. */
export function millisecondsOf(length: BucketLength): number {
  switch (length.kind) {
    case 'clock':
      return length.milliseconds
    case 'days':
      return length.days * oneDay
    case 'months':
      return length.months * 30.436875 * oneDay
  }
}

function assertCount(
  length: BucketLength,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const count = (Date.parse(to) - Date.parse(from)) / millisecondsOf(length)
  if (count <= maxBuckets) return
  throw new AppError(
    'HUB-QRY-001',
    `The range has more than ${maxBuckets.toLocaleString('en')} buckets of that length.`,
    {
      hint: 'Request longer buckets, or shorter ranges one after another.',
      issues: [{ parameter: 'bucket', detail: 'is too short for this range' }],
    },
  )
}
