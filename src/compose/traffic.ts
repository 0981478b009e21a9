import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { anonymous, seesAll } from '../access/index.ts'
import type { Every, RuleTable } from '../access/index.ts'
import type { Database } from '../storage/index.ts'
import { eventsVersion, loadEventOrigins, loadEvents } from '../timeseries/index.ts'
import { TrafficFeed, trafficRoutes } from '../traffic/index.ts'

type Deps = {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: RuleTable['visibility']
  readonly now: () => Date
  readonly every: Every
  readonly log: FastifyBaseLogger
}

/** The traffic feed over the events of the time series service. It is public: anonymous rights apply. */
export function composeTraffic(deps: Deps): FastifyPluginAsync {
  const { database, publicUrl, visibilityOf, now, log } = deps
  const rights = revisionOf(() => visibilityOf(anonymous))
  const feed = new TrafficFeed({
    source: {
      version: () => eventsVersion(database.read),
      rights: () => String(rights()),
      loadOrigins: () => loadEventOrigins(database.read, visibilityOf(anonymous)),
      loadEvents: (origin) => loadEvents(database.read, origin, visibilityOf(anonymous)),
    },
    country: 'it',
    language: 'it',
    onBuild: ({ provider, milliseconds }) => {
      log.info({ provider, milliseconds: Math.round(milliseconds) }, 'The traffic feed was built.')
    },
  })
  const hasClosedEvents = () => !seesAll(visibilityOf(anonymous), 'event')
  const routes = trafficRoutes({ feed, publicUrl, clock: now, hasClosedEvents })
  return async (app) => {
    const stop = keepCurrent(feed, deps)
    app.addHook('onClose', (_instance, done) => {
      stop()
      done()
    })
    await app.register(routes)
  }
}

const twoSeconds = 2000

/** So that nobody has to wait for a build when a start or end has passed, or an event was written. */
function keepCurrent(feed: TrafficFeed, { every, now, log }: Deps): () => void {
  return every(twoSeconds, () => {
    feed.refresh(now()).catch((err: unknown) => {
      log.warn({ err }, 'The traffic feed could not be refreshed; the next request tries again.')
    })
  })
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
