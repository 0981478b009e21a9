import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { stateOf, states } from './thresholds.ts'
import type { State } from './thresholds.ts'
import { visibleColumns } from '../catalogue/groups.ts'

/** Freshness of the series of an origin. Lags are in seconds, null if no value is in the past. */
type OriginFreshness = {
  readonly origin: string
  /** Number of series by state. `ahead` counts those whose newest value is in the future. */
  readonly series: ReadonlyMap<State | 'ahead', number>
  readonly oldestLag: number | null
  readonly medianLag: number | null
  /** How far the newest value is in the future, in seconds; null if none is. */
  readonly farthestAhead: number | null
}

/**
 * Maximum number of reported origins, the largest first: each is a label in the memory of the
 * metrics collector.
 */
const maxOrigins = 500

/**
 * Loads the freshness of origins, the largest first, from the latest values alone: no history is
 * read. Only series whose values the caller may see are counted (decision D60).
 */
export async function loadByOrigin(
  database: Queryable,
  visibility: Visibility,
  now: Date,
): Promise<readonly OriginFreshness[]> {
  const lag = sql`extract(epoch from ${now.toISOString()}::timestamptz - m.valid_time)`
  const rows = await database.texts(sql`
    select
      coalesce(origin, ''),
      count(*) filter (where lag < 0),
      max(lag) filter (where lag >= 0),
      percentile_disc(0.5) within group (order by lag) filter (where lag >= 0),
      -min(lag) filter (where lag < 0),
      ${countsOf}
    from (
      select s.origin, ${lag} as lag, ${stateOf(sql`(${lag})`, sql`nullif(x.period, 0)`)} as state
      from latest as m
      join series as x on x.id = m.series_id
      join station as s on s.id = x.station_id
      join data_type as t on t.id = x.data_type_id
      where s.available and ${visible(visibility, 'timeseries', visibleColumns)}) as found
    group by origin
    order by count(*) desc, origin
    limit ${maxOrigins}::bigint`)
  return rows.map(([origin, ahead, oldest, median, farthest, ...counts]) => ({
    origin: origin ?? '',
    series: new Map([
      ['ahead', Number(ahead)] as const,
      ...states.map((state, index) => [state, Number(counts[index])] as const),
    ]),
    oldestLag: toNumber(oldest),
    medianLag: toNumber(median),
    farthestAhead: toNumber(farthest),
  }))
}

const countsOf = states
  .map((state) => sql`count(*) filter (where lag >= 0 and state = ${state})`)
  .reduce((listed, count) => sql`${listed}, ${count}`)

function toNumber(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text)
}

/**
 * Sets the freshness that `/metrics` shows until the next call: what was found, or nothing if
 * loading failed.
 */
type ShowFreshness = (found: readonly OriginFreshness[]) => void

/**
 * Registers the metrics of the freshness of time series by origin, and returns a function that
 * updates them.
 */
export function freshnessMetrics(registry: Registry): ShowFreshness {
  let known: readonly OriginFreshness[] = []
  const gauge = (name: string, help: string, show: (to: Gauge, one: OriginFreshness) => void) =>
    new Gauge({
      name: `hub_timeseries_${name}`,
      help,
      labelNames: name === 'series' ? ['origin', 'state'] : ['origin'],
      registers: [registry],
      collect() {
        this.reset()
        for (const one of known) show(this, one)
      },
    })
  const gaugeOf = (name: string, help: string, of: (one: OriginFreshness) => number | null) =>
    gauge(name, help, (to, one) => {
      const value = of(one)
      if (value !== null) to.set({ origin: one.origin }, value)
    })
  gauge('series', 'Series by state; ahead: the latest value is in the future', (to, one) => {
    for (const [state, count] of one.series) to.set({ origin: one.origin, state }, count)
  })
  gaugeOf(
    'oldest_lag_seconds',
    'Age of the newest value of the series for which it is oldest',
    ({ oldestLag }) => oldestLag,
  )
  gaugeOf(
    'median_lag_seconds',
    'Age of the newest value, median of the series',
    ({ medianLag }) => medianLag,
  )
  gaugeOf(
    'farthest_future_seconds',
    'How far the farthest value is in the future',
    ({ farthestAhead }) => farthestAhead ?? 0,
  )
  return (found) => {
    known = found
  }
}
