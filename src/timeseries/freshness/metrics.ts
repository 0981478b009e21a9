import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { OriginFreshness } from './load-by-origin.ts'

/** Takes what was found, or nothing where that failed; `/metrics` shows it until the next time. */
export type ShowFreshness = (found: readonly OriginFreshness[]) => void

/** What `/metrics` says about the freshness of time series, by origin. */
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
  gauge('series', 'Series by state; ahead: the newest value lies in the future', (to, one) => {
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
    'How far the farthest value lies in the future',
    ({ farthestAhead }) => farthestAhead ?? 0,
  )
  return (found) => {
    known = found
  }
}
