import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import { changeRoutes, keepChanges, openFollowing, webhookRoutes } from '../changes/index.ts'
import type { Config } from '../config/index.ts'
import { contentFeeds, toNaming, viewsOf } from '../content/index.ts'
import type { Problem } from '../observe/index.ts'
import { timeseriesFeeds } from '../timeseries/index.ts'
import type { Access, Mode } from './access.ts'
import { mobility } from './chores.ts'
import { isLoopback, publicUrlOf } from './environment.ts'
import type { Environment } from './environment.ts'
import type { Store } from './open-store.ts'

type Deps = {
  readonly config: Config
  readonly environment: Environment
  readonly store: Store
  readonly access: Pick<Access, 'rules'>
  readonly metrics: Registry
  readonly mode: Mode
}

/** The change feed of a hub. */
type Changes = {
  readonly routes: FastifyPluginAsync
  /** What is wrong with it at the moment. */
  readonly problems: () => readonly Problem[]
}

/** Feeds of everything that the hub serves. They are read from the primary: a replica may lag. */
export function composeChanges(deps: Deps): Changes {
  const { config, environment, store, access, metrics, mode } = deps
  const { every, now, log } = environment
  const { database } = store
  const publicUrl = publicUrlOf(config)
  const {
    HUB_PROFILE: profile,
    HUB_CHANGE_KEEP_DAYS: days,
    HUB_CHANGE_READERS: mostReaders,
  } = config
  const entities = [...store.entities, ...viewsOf(toNaming(config.HUB_PREFIX))]
  const visibilityOf = access.rules.visibility
  const reads = { database, publicUrl, profile, visibilityOf, entities, mobility, now }
  const onError = (err: unknown) => {
    log.warn({ err }, 'The changes could not be read; the hub tries again.')
  }
  const { problems, stop } = keepChanges({ database, metrics, every, now, days, onError })
  const sources = [contentFeeds(reads), timeseriesFeeds(reads)]
  const areRightsKnown = () => access.rules.problems().length === 0
  const opening = { database, sources, now, visibilityOf, areRightsKnown, days, every, onError }
  return {
    problems,
    routes: async (app) => {
      const { following, stop: unfollow } = await openFollowing(opening)
      app.addHook('onClose', (_instance, done) => {
        stop()
        unfollow()
        done()
      })
      const shared = { following, publicUrl, every, onError }
      await app.register(changeRoutes({ ...shared, mostReaders }))
      const loopback = mode === 'demo' && isLoopback(config.HUB_HOST) ? 'allowed' : 'refused'
      await app.register(webhookRoutes({ ...shared, metrics, loopback }))
    },
  }
}
