import { isOutOfRange } from '../../storage/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { Run } from '../read/values/value-statement.ts'
import { unpackBySeries, unpackByTime } from '../read/values/value-rows.ts'
import { bucketStatement } from './bucket-statement.ts'
import type { BucketReading } from './bucket-statement.ts'
import type { BucketWindow } from './bucket-windows.ts'

/** Reads the buckets of a window, in the order of time or of series, as rows like those of values. */
export type LoadBuckets = (
  reading: BucketReading,
  window: BucketWindow,
  order: 'byTime' | 'bySeries',
) => Promise<readonly TextRow[]>

/** Sums that no double can hold are rare: only where one comes up, everything is summed up exactly. */
export function bucketLoader(run: Run): LoadBuckets {
  return async (reading, window, order) => {
    const { series, packed } = reading
    // Packed by their times, the buckets of one series would be as many packs.
    const grouping = series.ids.length === 1 ? 'bySeries' : order
    const load = (arithmetic: 'plain' | 'exact') =>
      run(bucketStatement(reading, { window, grouping, arithmetic }), packed.length)
    const groups = await load('plain').catch((error: unknown) => {
      if (isOutOfRange(error)) return load('exact')
      throw error
    })
    return (grouping === 'bySeries' ? unpackBySeries : unpackByTime)(series, packed)(groups)
  }
}
