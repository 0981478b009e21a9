import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { Registry } from 'prom-client'
import { createApp } from '../app.ts'
import type { Config } from '../config/index.ts'
import { contentRoutes, toNaming, viewsOf } from '../content/index.ts'
import { demoRoutes } from '../demo/index.ts'
import { healthRoutes } from '../observe/index.ts'
import { durability } from '../push/index.ts'
import { planOf } from '../quota/index.ts'
import { pendingMigrations } from '../storage/index.ts'
import { ensurePartitionsAhead, timeseriesRoutes } from '../timeseries/index.ts'
import type { TimeseriesDeps } from '../timeseries/index.ts'
import { composeAccess } from './access.ts'
import type { Access, Mode } from './access.ts'
import { keepDatasetsRegistered, mobility } from './datasets.ts'
import { composePush } from './compose-push.ts'
import type { Push } from './compose-push.ts'
import { composeTraffic } from './traffic.ts'
import { openStore } from './open-store.ts'
import type { Store } from './open-store.ts'
import { migrationsDirectory, publicUrlOf } from './surroundings.ts'
import type { Surroundings } from './surroundings.ts'

/** A hub, ready to listen. */
export type Hub = {
  readonly app: FastifyInstance
  readonly store: Store
  readonly publicUrl: string
  /** Accepts requests from now on. */
  readonly listen: () => Promise<void>
  /** Finishes what is in hand and lets go of everything. */
  readonly close: () => Promise<void>
}

const oneDay = 86_400_000

/** The composition root: settings → database, clock, keys → services. */
export async function composeHub(
  config: Config,
  surroundings: Surroundings,
  mode: Mode,
): Promise<Hub> {
  const store = await openStore(config, surroundings)
  const access = await composeAccess({ config, database: store.database, surroundings, mode })
  await access.rules.start()
  const publicUrl = publicUrlOf(config)
  const metrics = new Registry()
  const push = composePush({ config, surroundings, store, access, metrics })
  const { log, now, version } = surroundings
  const app = await createApp({
    ...{ log, now, version, publicUrl, metrics },
    trustedProxies: config.HUB_TRUSTED_PROXIES,
    authenticate: access.authenticate,
    services: servicesOf({ config, surroundings, store, access, push, metrics, mode }),
  })
  const stopPartitions = keepPartitionsAhead(store, surroundings)
  const stopDatasets = await keepDatasetsRegistered({ config, store, surroundings })
  warnOf(config, surroundings)
  return {
    app,
    store,
    publicUrl,
    listen: async () => {
      await push.start()
      await app.listen({ port: config.HUB_PORT, host: config.HUB_HOST }).catch(explainPort)
    },
    close: async () => {
      stopPartitions()
      stopDatasets()
      access.rules.stop()
      await app.close()
      await push.stop()
      await store.database.close()
    },
  }
}

function warnOf(config: Config, { log }: Surroundings): void {
  if (config.HUB_QUOTA === 'off') log.warn('Request quotas are off (HUB_QUOTA=off).')
}

function explainPort(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    throw new Error(`${error.message}. Stop what uses it, or set HUB_PORT.`, { cause: error })
  }
  throw error
}

/** Every day, so that no value ever waits for the table of its month. */
function keepPartitionsAhead({ database }: Store, { every, log, now }: Surroundings): () => void {
  return every(oneDay, () => {
    ensurePartitionsAhead(database, now()).catch((err: unknown) => {
      log.error({ err }, 'The partitions of the next months could not be made.')
    })
  })
}

const historyLimitOf: NonNullable<TimeseriesDeps['historyLimitOf']> = (caller) => {
  const { name, historyDays } = planOf(caller)
  return { policy: name, days: historyDays }
}

type Parts = {
  readonly config: Config
  readonly surroundings: Surroundings
  readonly store: Store
  readonly access: Access
  readonly push: Push
  readonly metrics: Registry
  readonly mode: Mode
}

function servicesOf(parts: Parts): readonly FastifyPluginAsync[] {
  const { config, surroundings, store, access, push, metrics, mode } = parts
  const { database, entities } = store
  const { now } = surroundings
  const publicUrl = publicUrlOf(config)
  const reads = { database, publicUrl, visibilityOf: access.rules.visibility, now }
  const profile = config.HUB_PROFILE
  return [
    healthRoutes({
      database,
      durability: durability[database.engine],
      problems: push.problems,
      pendingMigrations: () => pendingMigrations(database, migrationsDirectory),
    }),
    ...access.services,
    contentRoutes({
      ...reads,
      entities: [...entities, ...viewsOf(toNaming(config.HUB_PREFIX))],
      profile,
      mobility,
      timeZone: config.HUB_TIME_ZONE,
    }),
    timeseriesRoutes({
      ...reads,
      profile,
      clientOriginPrefixes: config.HUB_CLIENT_ORIGIN_PREFIXES,
      ...(config.HUB_QUOTA === 'on' ? { historyLimitOf } : {}),
    }),
    composeTraffic({ ...reads, every: surroundings.every, log: surroundings.log, metrics }),
    push.routes,
    ...(mode === 'demo' ? [demoRoutes] : []),
  ]
}
