import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { Every, RuleTable } from '../access/index.ts'
import type { Profile } from '../content/index.ts'
import type { Database } from '../storage/index.ts'
import { eventSource } from '../timeseries/index.ts'
import {
  TrafficFeed,
  closedToPublic,
  keepCurrent,
  observeBuilds,
  trafficRoutes,
} from '../traffic/index.ts'
import type { Build } from '../traffic/index.ts'

type Deps = {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: RuleTable['visibility']
  readonly now: () => Date
  readonly every: Every
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  /** Of the region; Italy in Italian when it is left out. */
  readonly publisher?: { readonly country: string; readonly language: string }
  readonly profile?: Profile
}

/** The traffic feed over the events of the time series service. It is public: anonymous rights apply. */
export function composeTraffic(deps: Deps): FastifyPluginAsync {
  const { database, publicUrl, visibilityOf, every, now, log } = deps
  const feed = new TrafficFeed({
    source: eventSource(database.read, visibilityOf),
    ...(deps.publisher ?? { country: 'it', language: 'it' }),
    titleEnd: deps.profile === 'compatible' ? ' ' : '. ',
    onBuild: reportBuilds(deps),
  })
  const hasClosedEvents = closedToPublic(visibilityOf)
  const routes = trafficRoutes({ feed, publicUrl, clock: now, hasClosedEvents })
  return async (app) => {
    const stop = keepCurrent(feed, {
      every,
      now,
      onError: (err) => {
        log.warn({ err }, 'The traffic feed could not be refreshed; the next request tries again.')
      },
    })
    app.addHook('onClose', (_instance, done) => {
      stop()
      done()
    })
    await app.register(routes)
  }
}

/** In log and metrics, with what was left out (decision D55). */
function reportBuilds({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): (build: Build) => void {
  const observe = observeBuilds(metrics)
  return (build) => {
    observe(build)
    const { provider, document, milliseconds } = build
    const { situations, leftOut, notes } = document
    const counts = { situations, leftOut, notes: notes.length }
    const reported = { provider, ...counts, milliseconds: Math.round(milliseconds) }
    log.info(reported, 'The traffic feed was built.')
  }
}
