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

/** Aggregates of the values of a bucket. */
export const bucketAggregates = ['avg', 'min', 'max', 'count', 'sum', 'first', 'last'] as const
export type BucketAggregate = (typeof bucketAggregates)[number]

/** Those that need numbers. */
const numeric: ReadonlySet<BucketAggregate> = new Set(['avg', 'min', 'max', 'sum'])

/** Whether the aggregate is possible for texts and JSON. */
function isForEveryKind(aggregates: readonly BucketAggregate[]): boolean {
  return aggregates.some((aggregate) => !numeric.has(aggregate))
}

/** The field of an answer: written as `select` writes aggregates (decision D44). */
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
 * What buckets are made of: of all values at once, or of some values first, which can be kept (rollups). `sum` is exact, so
 * it has the same digits either way, and in whatever order values are read.
 */
export const bucketParts = ['count', 'sum', 'min', 'max', 'first', 'last'] as const
export type BucketPart = (typeof bucketParts)[number]

/** The parts that some aggregates need. */
export function partsOf(aggregates: readonly BucketAggregate[]): readonly BucketPart[] {
  const isNeeded = (part: BucketPart) =>
    aggregates.includes(part) ||
    (aggregates.includes('avg') && (part === 'sum' || part === 'count'))
  return bucketParts.filter(isNeeded)
}

/** A part of a group of rows `v` that have a `valid_time`, a `number` and its `millionths`; of the first and last values their times. */
export const partOfValues: Readonly<Record<BucketPart, Sql>> = {
  count: sql`count(*)`,
  sum: exactSum(),
  min: sql`min(v.number)`,
  max: sql`max(v.number)`,
  first: sql`min(v.valid_time)`,
  last: sql`max(v.valid_time)`,
}

/** The same of a group of rows `p` that have these parts. */
export const partOfParts: Readonly<Record<BucketPart, Sql>> = {
  count: sql`sum(p.count)::bigint`,
  sum: sql`sum(p.sum)`,
  min: sql`min(p.min)`,
  max: sql`max(p.max)`,
  first: sql`min(p.first)`,
  last: sql`max(p.last)`,
}

/**
 * A number with few decimals as a whole number of millionths, null of another one: to be worked out once for each row.
 * With at most 15 digits both are the same number.
 */
export function millionthsOf(number: Sql): Sql {
  const [most, scale] = [sql`'1e9'::double precision`, sql`'1e6'::double precision`]
  return sql`
    case when abs(${number}) < ${most} and round(${number} * ${scale}) / ${scale} = ${number}
      then (${number} * ${scale})::bigint end`
}

/**
 * The sum of doubles as the decimal numbers that they are printed as: 0.1 and 0.2 make 0.3. Most have few decimals and are
 * added as whole numbers, which takes little longer than to add doubles.
 */
function exactSum(): Sql {
  const few = sql`sum(v.millionths) * 0.000001`
  const many = sql`sum(v.number::text::numeric) filter (where v.millionths is null)`
  return sql`coalesce(${few} + ${many}, ${few}, ${many})`
}

/** An aggregate of rows `b` that have its parts; `valueAt` looks up the value of a time. */
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
 * The double nearest to the average. Whole millionths that doubles hold are divided as doubles, which is twice as fast.
 * Numbers are divided to 16 digits or to the decimals they have, and doubles need more than 16.
 */
function average(): Sql {
  return sql`
    case when b.sum between -9e9 and 9e9 and scale(b.sum) <= 6
      then (b.sum * 1000000)::bigint / (b.count * '1e6'::double precision)
      else ${toDouble(sql`(b.sum + 0e-40) / b.count`, sql`b.sum`)} end`
}

/** What is larger than any double is not shown. Of numbers of usual size it is soon known that they are doubles. */
function toDouble(number: Sql, size: Sql): Sql {
  return sql`
    case when ${size} = 0 or abs(${size}) between 1e-250 and 1e300 then (${number})::double precision
      when abs(${number}) < 2.5e-324 then 0
      when abs(${number}) < 1.797693134862315e308 then round(${number}, 324)::double precision end`
}

/** Parameters of a range of history that show fewer rows than there are values. */
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

/** What fewer rows than values are made of. */
export type Reduction = {
  readonly bucket: Bucketing | undefined
  /** Rows of a series at most; undefined for all. */
  readonly points: number | undefined
}

export type Bucketing = {
  readonly length: BucketLength
  /** As `agg` names them; undefined where it does not. */
  readonly asked: readonly BucketAggregate[] | undefined
}

/**
 * Reads how a range of values is to be reduced; elsewhere nothing can be reduced.
 * @throws AppError HUB-QRY-001
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
 * Names of the parameters without effect, because of the address or other parameters.
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

/** The historical limit does not apply to days and longer buckets (decision D62). */
export function isCoarse(reduction: Reduction | undefined): boolean {
  const length = reduction?.bucket?.length
  return length !== undefined && length.kind !== 'clock'
}

/** The series that cannot be aggregated: texts and JSON are not numbers. */
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

const mostBuckets = 1_000_000

const oneDay = 86_400_000

/** How long buckets are on average. */
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
  if (count <= mostBuckets) return
  throw new AppError(
    'HUB-QRY-001',
    `The range has more than ${mostBuckets.toLocaleString('en')} buckets of that length.`,
    {
      hint: 'Request longer buckets, or shorter ranges one after another.',
      issues: [{ parameter: 'bucket', detail: 'is too short for this range' }],
    },
  )
}
