import { measurement, provenance } from '../catalogue/groups.ts'
import type { Level } from '../catalogue/levels.ts'
import type { Call, Entry, RowCount, Select } from '../select/grammar.ts'
import { rejectedSelect } from '../select/grammar.ts'
import { resolveEntry, wholeGroup } from '../select/resolve.ts'
import type { Shown } from '../select/resolve.ts'
import { bucketAggregates, bucketField, memberOf } from './aggregates.ts'
import type { BucketAggregate } from './aggregates.ts'

/**
 * Returns what a `select` shows of buckets. Aggregates are always shown: those of `agg` in place of
 * `mvalue`, those that `select` names where it names them, and the average if nothing names any.
 * @throws AppError HUB-QRY-009, also for a field that a single value has but a bucket of many
 *   values does not have
 */
export function showBuckets(
  select: Select,
  level: Level,
  asked: readonly BucketAggregate[] | undefined,
): readonly Shown[] {
  const entries = select.kind === 'all' ? [] : select.entries
  const hasCalls = entries.some(({ kind }) => kind === 'call')
  const aggregates = (asked ?? ['avg']).map(toShown)
  const shown =
    select.kind === 'all'
      ? level.groups.flatMap(wholeGroup).flatMap((value) => inBucket(value, aggregates))
      : entries.flatMap((entry) => showEntry(entry, level, aggregates))
  const others = asked === undefined && hasCalls ? [] : aggregates
  return [...new Map([...shown, ...others].map((value) => [value.key, value])).values()]
}

/** Returns the aggregates among the shown fields. */
export function aggregatesOf(shown: readonly Shown[]): readonly BucketAggregate[] {
  return bucketAggregates.filter((aggregate) =>
    shown.some(({ key }) => key === memberOf(aggregate)),
  )
}

export function isAggregate({ key }: Shown): boolean {
  return bucketAggregates.some((aggregate) => key === memberOf(aggregate))
}

function showEntry(entry: Entry, level: Level, aggregates: readonly Shown[]): readonly Shown[] {
  if (entry.kind !== 'name') return [toShown(aggregateOf(entry))]
  const shown = resolveEntry(entry, level)
  const inBuckets = shown.flatMap((value) => inBucket(value, aggregates))
  // A pointer such as `mprovenance` is not a field, and may stand for no field of buckets.
  const isField = shown.some(({ member }) => member === entry.name)
  if (inBuckets.length > 0 || !isField) return inBuckets
  throw rejectedSelect({
    detail: `${entry.text} belongs to one value, and a bucket has many`,
    position: entry.position,
    expected: ['mvalidtime', 'mperiod', 'mvalue', ...bucketAggregates.map(memberOf)],
  })
}

/**
 * Returns what a bucket shows for a field of a value: the field itself if all values of the bucket
 * share it, aggregates, or nothing.
 */
function inBucket(shown: Shown, aggregates: readonly Shown[]): readonly Shown[] {
  const { group, field, inner } = shown
  if (group === provenance) return []
  if (group !== measurement) return [shown]
  if (field.name === 'mvalue') return inner === undefined ? aggregates : []
  return field.name === 'mvalidtime' || field.isOfSeries === true ? [shown] : []
}

function aggregateOf(entry: Call | RowCount): BucketAggregate {
  if (entry.kind === 'call' && entry.of.text === 'mvalue') return entry.aggregate
  const { position, text } = entry
  throw rejectedSelect({
    detail: `${text} is not available for buckets, which aggregate mvalue`,
    position,
    expected: bucketAggregates.map(memberOf),
  })
}

function toShown(aggregate: BucketAggregate): Shown {
  const field = bucketField(aggregate)
  const { name, type, expression } = field
  return {
    key: name,
    member: name,
    inner: undefined,
    field,
    group: measurement,
    type,
    printed: expression,
    aggregate: undefined,
  }
}
