import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import { anonymous, seesAll } from '../access/index.ts'
import type { Every, RuleTable } from '../access/index.ts'
import type { Profile } from '../content/index.ts'
import type { Database } from '../storage/index.ts'
import { eventsVersion, loadEventOrigins, loadEvents } from '../timeseries/index.ts'
import { TrafficFeed, keepCurrent, observeBuilds, trafficRoutes } from '../traffic/index.ts'
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
  const rights = revisionOf(() => visibilityOf(anonymous))
  const feed = new TrafficFeed({
    source: {
      version: () => eventsVersion(database.read),
      rights: () => String(rights()),
      loadOrigins: () => loadEventOrigins(database.read, visibilityOf(anonymous)),
      loadEvents: (origin) => loadEvents(database.read, origin, visibilityOf(anonymous)),
    },
    ...(deps.publisher ?? { country: 'it', language: 'it' }),
    titleEnd: deps.profile === 'compatible' ? ' ' : '. ',
    onBuild: reportBuilds(deps),
  })
  const hasClosedEvents = remembering(
    () => visibilityOf(anonymous),
    (visibility) => !seesAll(visibility, 'event'),
  )
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

/** A number that grows whenever a value is another one: a rule withdrawn must leave the feed at once. */
function revisionOf(read: () => unknown): () => number {
  let known = read()
  let revision = 0
  return () => {
    const current = read()
    if (current !== known) revision += 1
    known = current
    return revision
  }
}

/** What follows from a value, worked out again only when it is another one. */
function remembering<Value, Result>(
  read: () => Value,
  derive: (value: Value) => Result,
): () => Result {
  let known = read()
  let result = derive(known)
  return () => {
    const current = read()
    if (current !== known) [known, result] = [current, derive(current)]
    return result
  }
}
