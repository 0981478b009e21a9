import type { Freshness } from '../../api/index.ts'
import type { Kind, Series, Value, SeriesId } from './series.ts'
import { everyType, mostSeries, printSeries, parseTime } from './series.ts'
import { readJson } from '../../api/index.ts'
import { freshnessRequest, latestRequest } from './where.ts'

/** A row of `/v2/freshness`. */
type Row = {
  readonly stype: string
  readonly scode: string
  readonly sname?: string
  readonly tname: string
  readonly tunit?: string
  readonly tdescription?: string
  readonly mperiod: number
  readonly kind: Kind
  readonly state: Freshness
  readonly expectedPeriod?: number
}

/** A row of the latest values. */
export type LatestRow = Pick<Row, 'stype' | 'scode' | 'tname' | 'mperiod'> & {
  readonly mvalidtime: string
  readonly mvalue?: Value | null
}

/**
 * The existing series, in the order of the URL, and those that do not exist or are not visible to
 * the caller.
 */
export type Found = { readonly series: readonly Series[]; readonly missing: readonly SeriesId[] }

export function toFound(
  ids: readonly SeriesId[],
  rows: readonly Row[],
  values: readonly LatestRow[],
): Found {
  const byKey = new Map(values.map((row) => [keyOfRow(row), row]))
  const found = ids.map((id) => ({ id, rows: rows.filter((row) => isOf(row, id)) }))
  const all = found.flatMap((one) =>
    one.rows.map((row) =>
      toSeries(row, byKey.get(keyOfRow(row)), needsPeriod(row, rows) ? row.mperiod : undefined),
    ),
  )
  return {
    series: [...new Map(all.map((one) => [one.key, one])).values()].slice(0, mostSeries),
    missing: found.filter((one) => one.rows.length === 0).map(({ id }) => id),
  }
}

function isOf(row: Row, { type, code, dataType, period }: SeriesId): boolean {
  if (row.stype !== type || row.scode !== code) return false
  if (period !== undefined && row.mperiod !== period) return false
  return dataType === everyType || row.tname === dataType
}

/** Reports whether another series differs only by its period. */
function needsPeriod({ stype, scode, tname }: Row, rows: readonly Row[]): boolean {
  const alike = rows.filter(
    (row) => row.stype === stype && row.scode === scode && row.tname === tname,
  )
  return alike.length > 1
}

function toSeries(row: Row, latest: LatestRow | undefined, period: number | undefined): Series {
  const id = { type: row.stype, code: row.scode, dataType: row.tname }
  const whole = period === undefined ? id : { ...id, period }
  const seconds = row.expectedPeriod ?? row.mperiod
  return {
    ...whole,
    key: printSeries(whole),
    station: row.sname ?? row.scode,
    unit: (row.tunit ?? '').replace(/^\[|\]$/g, ''),
    description: row.tdescription ?? '',
    kind: row.kind,
    step: seconds > 0 ? seconds * 1000 : undefined,
    state: row.state,
    latest: toLatest(latest),
  }
}

/** Returns the series with newer latest values, where available. */
export function withLatest(
  series: readonly Series[],
  rows: readonly LatestRow[],
): readonly Series[] {
  if (rows.length === 0) return series
  return series.map((one) => {
    const row = rows.find(
      ({ stype, scode, tname, mperiod }) =>
        stype === one.type &&
        scode === one.code &&
        tname === one.dataType &&
        (one.period === undefined || one.period === mperiod),
    )
    return row === undefined ? one : { ...one, latest: toLatest(row) }
  })
}

function toLatest(row: LatestRow | undefined): Series['latest'] {
  const value = row?.mvalue
  return row === undefined || value === undefined || value === null
    ? undefined
    : { time: parseTime(row.mvalidtime), value }
}

function keyOfRow(row: Pick<Row, 'stype' | 'scode' | 'tname' | 'mperiod'>): string {
  return JSON.stringify([row.stype, row.scode, row.tname, row.mperiod])
}

type Page<Of> = { readonly data: readonly Of[] }

/** Loads the series in the URL with their latest values. */
export async function loadSeries(ids: readonly SeriesId[], signal?: AbortSignal): Promise<Found> {
  if (ids.length === 0) return { series: [], missing: [] }
  const [described, latest] = [freshnessRequest(ids), latestRequest(ids)]
  const [rows, values] = await Promise.all([
    readJson<Page<Row>>(described.path, described.query, signal),
    readJson<Page<LatestRow>>(latest.path, latest.query, signal),
  ])
  return toFound(ids, rows.data, values.data)
}
