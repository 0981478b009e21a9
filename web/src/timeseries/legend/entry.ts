import type { Look } from '../chart/colours.ts'
import type { Series } from '../series/series.ts'

/** A series as the legend shows it. */
export type Entry = {
  readonly series: Series
  readonly look: Look
  readonly isHidden: boolean
  /** Whether there is an axis for its unit. */
  readonly hasAxis: boolean
}
