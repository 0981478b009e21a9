import type { Cell } from '../read/cell.ts'
import type { Representation } from '../read/representation.ts'
import type { Part, Wanted } from '../read/values/part.ts'
import { at } from '../read/values/value-rows.ts'
import type { Run, ValueReading } from '../read/values/value-statement.ts'
import type { Shown } from '../select/resolve.ts'
import type { TimeZone } from '../time/time-zone.ts'
import { earliestFinder } from './earliest-value.ts'
import { bucketLoader } from './load-buckets.ts'
import { bucketSource, valueSource } from './points/sources.ts'
import type { Source } from './points/sources.ts'
import { walkPoints } from './points/walk-points.ts'
import { millisecondsOf } from './reduction.ts'
import type { Bucketing, Reduction } from './reduction.ts'
import { aggregatesOf, isAggregate } from './show-buckets.ts'
import { timelineOf } from './timeline.ts'
import { walkBucketsBySeries, walkBucketsInTime } from './walk-buckets.ts'
import type { BucketWalk } from './walk-buckets.ts'

type Asked = {
  readonly structure: Representation['structure']
  readonly zone: TimeZone
  readonly shown: readonly Shown[]
  /** Where in a row each shown field stands. */
  readonly cells: readonly Cell[]
}

type Reducing = {
  readonly run: Run
  readonly reading: ValueReading
  readonly wanted: Wanted
}

/** Reads buckets, or the points that keep the shape of a line, or those of its buckets. */
export function walkReduced(
  { bucket, points }: Reduction,
  asked: Asked,
  reducing: Reducing,
): AsyncGenerator<Part, void, undefined> {
  const { structure } = asked
  const walk = bucket && toBucketWalk(bucket, asked, reducing)
  if (points !== undefined) {
    const source: Source = walk ? bucketSource(walk, heightOf(asked)) : valueSource(reducing)
    const kind = walk ? 'buckets' : 'values'
    return walkPoints({ source, kind, points, structure }, reducing)
  }
  if (walk === undefined) throw new TypeError('A reduction has buckets or points')
  return (structure === 'flat' ? walkBucketsInTime : walkBucketsBySeries)(walk, reducing.wanted)
}

function toBucketWalk(
  { length }: Bucketing,
  { zone, shown }: Asked,
  { run, reading }: Reducing,
): BucketWalk {
  const { from = '', to = '' } = reading.values.range ?? {}
  return {
    load: bucketLoader(run),
    earliest: earliestFinder(run, reading),
    reading: { ...reading, aggregates: aggregatesOf(shown) },
    range: { from: Date.parse(from), to: Date.parse(to) },
    timeline: timelineOf(length, zone),
    width: millisecondsOf(length),
  }
}

/** Where the first aggregate that is shown stands: it draws the line. */
function heightOf({ shown, cells }: Asked): number {
  return cells[shown.findIndex(isAggregate)]?.index ?? at.packed
}
