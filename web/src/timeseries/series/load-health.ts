import { readJson } from '../../api/index.ts'
import { freshnessRequest } from './where.ts'
import { printSeries, parseTime } from './series.ts'
import type { SeriesId } from './series.ts'

/** Quality of a series over the last seven days. */
export type Health = {
  readonly expectedPeriod: number | undefined
  readonly isDeclared: boolean
  readonly coverage: number | undefined
  readonly gaps: number
  readonly missing: number
  readonly longestGap: number | undefined
  readonly stuck: { readonly since: number; readonly count: number } | undefined
  readonly futureUntil: number | undefined
}

type Row = {
  readonly stype: string
  readonly scode: string
  readonly tname: string
  readonly mperiod: number
  readonly expectedPeriod?: number
  readonly expectedBy?: string
  readonly coverageWeek?: number
  readonly gaps?: number
  readonly missing?: number
  readonly longestGap?: number
  readonly stuckSince?: string
  readonly stuckCount?: number
  readonly futureUntil?: string
}

const fields =
  'stype,scode,tname,mperiod,expectedPeriod,expectedBy,coverageWeek,gaps,missing,longestGap,stuckSince,stuckCount,futureUntil'

/**
 * Loads the quality of each series. It takes longer than what the chart needs, so it is a separate
 * request.
 */
export async function loadHealth(
  ids: readonly SeriesId[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Health>> {
  if (ids.length === 0) return new Map()
  const { path, query } = freshnessRequest(ids, fields)
  const { data } = await readJson<{ readonly data: readonly Row[] }>(path, query, signal)
  return new Map(
    data.flatMap((row) => {
      const id = { type: row.stype, code: row.scode, dataType: row.tname }
      const health = toHealth(row)
      return [
        [printSeries(id), health] as const,
        [printSeries({ ...id, period: row.mperiod }), health] as const,
      ]
    }),
  )
}

function toHealth(row: Row): Health {
  return {
    expectedPeriod: row.expectedPeriod,
    isDeclared: row.expectedBy === 'declared',
    coverage: row.coverageWeek,
    gaps: row.gaps ?? 0,
    missing: row.missing ?? 0,
    longestGap: row.longestGap,
    stuck:
      row.stuckSince === undefined || row.stuckCount === undefined
        ? undefined
        : { since: parseTime(row.stuckSince), count: row.stuckCount },
    futureUntil: row.futureUntil === undefined ? undefined : parseTime(row.futureUntil),
  }
}
