import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import { anonymous, seesAll } from '../access/index.ts'
import type { RuleTable } from '../access/index.ts'
import type { Database } from '../storage/index.ts'
import { eventsVersion, loadEventOrigins, loadEvents } from '../timeseries/index.ts'
import { TrafficFeed, trafficRoutes } from '../traffic/index.ts'

type Deps = {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: RuleTable['visibility']
  readonly now: () => Date
  readonly log: FastifyBaseLogger
}

/** The traffic feed over the events of the time series service. It is public: anonymous rights apply. */
export function composeTraffic(deps: Deps): FastifyPluginAsync {
  const { database, publicUrl, visibilityOf, now, log } = deps
  const rights = revisionOf(() => visibilityOf(anonymous))
  const feed = new TrafficFeed({
    source: {
      version: async () => `${await eventsVersion(database.read)} ${String(rights())}`,
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
  return trafficRoutes({ feed, publicUrl, clock: now, hasClosedEvents })
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
