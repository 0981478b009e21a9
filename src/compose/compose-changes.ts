import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import type { RuleTable } from '../access/index.ts'
import {
  allFeed,
  changeRoutes,
  keepChanges,
  openFollowing,
  webhookRoutes,
} from '../changes/index.ts'
import type { Following } from '../changes/index.ts'
import { publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { contentFeeds, toNaming, viewsOf } from '../content/index.ts'
import type { Problem } from '../observe/index.ts'
import { timeseriesFeeds } from '../timeseries/index.ts'
import type { Access, Mode } from './access.ts'
import { mobility } from './chores.ts'
import { isLoopback } from './environment.ts'
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

type Opening = Pick<Deps, 'config' | 'store'> & {
  readonly rules: Pick<RuleTable, 'visibility' | 'problems'>
  readonly environment: Pick<Environment, 'every' | 'now'>
  readonly onError: (error: unknown) => void
}

/**
 * Opens the feeds of everything that the hub serves. They are read from the primary, because a
 * replica may lag.
 */
export function openFeeds({ config, store, rules, environment, onError }: Opening) {
  const { every, now } = environment
  const { database, secrets } = store
  const publicUrl = publicUrlOf(config)
  const { HUB_PROFILE: profile, HUB_CHANGE_KEEP_DAYS: days } = config
  const entities = [...store.entities, ...viewsOf(toNaming(config.HUB_PREFIX))]
  const visibilityOf = rules.visibility
  const reads = { database, publicUrl, profile, visibilityOf, entities, mobility, now }
  const parts = [contentFeeds(reads), timeseriesFeeds(reads)]
  const sources = [allFeed(parts), ...parts]
  const areRightsKnown = () => rules.problems().length === 0
  return openFollowing({
    database,
    secrets,
    sources,
    now,
    visibilityOf,
    areRightsKnown,
    days,
    every,
    onError,
  })
}

type Changes = {
  readonly routes: FastifyPluginAsync
  /** Returns the shared state from which the feeds are read; opened once. */
  readonly following: () => Promise<Following>
  readonly problems: () => readonly Problem[]
}

/** Composes the change feeds of a hub, and the deletion of old changes. */
export function composeChanges(deps: Deps): Changes {
  const { config, environment, store, access, metrics, mode } = deps
  const { every, now, log } = environment
  const { database } = store
  const { HUB_CHANGE_KEEP_DAYS: days, HUB_CHANGE_READERS: maxReaders } = config
  const onError = (err: unknown) => {
    log.warn({ err }, 'The changes could not be read; the hub tries again.')
  }
  const { problems, stop } = keepChanges({ database, metrics, every, now, days, onError })
  let opened: ReturnType<typeof openFeeds> | undefined
  const open = () => (opened ??= openFeeds({ ...deps, rules: access.rules, onError }))
  return {
    problems,
    following: async () => (await open()).following,
    routes: async (app) => {
      const { following, stop: unfollow } = await open()
      app.addHook('onClose', (_instance, done) => {
        stop()
        unfollow()
        done()
      })
      const shared = { following, publicUrl: publicUrlOf(config), every, onError }
      await app.register(changeRoutes({ ...shared, maxReaders }))
      const loopback = mode === 'demo' && isLoopback(config.HUB_HOST) ? 'allowed' : 'refused'
      await app.register(webhookRoutes({ ...shared, metrics, loopback }))
    },
  }
}
