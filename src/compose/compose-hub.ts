import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import { anonymous } from '../access/index.ts'
import type { RuleTable } from '../access/index.ts'
import { adminRoutes, rightsRoutes } from '../admin/index.ts'
import type { AlertFile } from '../alerts/index.ts'
import { createApp } from '../app.ts'
import { catalogueRoutes, keepCatalogue } from '../catalogue/index.ts'
import type { CatalogueDeps } from '../catalogue/index.ts'
import { readLicence, publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { contentRoutes, publicRecords, toNaming, viewsOf } from '../content/index.ts'
import type { Entity } from '../content/index.ts'
import { mcpRoutes } from '../mcp/index.ts'
import { ogcRoutes, ogcStandard } from '../ogc/index.ts'
import { staRoutes, staStandard } from '../sta/index.ts'
import { openRegistry, securityContactRoutes } from '../observe/index.ts'
import type { Problem } from '../observe/index.ts'
import { loadMappings, scopeNamesOf } from '../push/index.ts'
import { qualityRoutes } from '../quality/index.ts'
import { historyLimitOf, openCounters, quotaRoutes } from '../quota/index.ts'
import type { Counters } from '../quota/index.ts'
import { shareDatabase } from '../storage/index.ts'
import type { Database } from '../storage/index.ts'
import { matchStations, stationSource, timeseriesRoutes } from '../timeseries/index.ts'
import type { TimeseriesDeps } from '../timeseries/index.ts'
import { openTrafficFeed, trafficService } from '../traffic/index.ts'
import { composeAccess } from './access.ts'
import {
  composeAlerts,
  loadAlertFile,
  composeObservation,
  metricsAccessOf,
  observed,
  composeOperation,
} from './compose-operation.ts'
import type { Access, Mode } from './access.ts'
import { doChores, mobility } from './chores.ts'
import type { Observation } from './compose-operation.ts'
import { composeChanges } from './compose-changes.ts'
import {
  composeExplorer,
  composePublishing,
  loadSecret,
  loadSharing,
} from './compose-publishing.ts'
import type { ComposedExplorer, Publishing } from './compose-publishing.ts'
import { composeExports } from './compose-exports.ts'
import { composePush } from './compose-push.ts'
import type { Push } from './compose-push.ts'
import { openStore } from './open-store.ts'
import type { Inspect, Store, WholeStore } from './open-store.ts'
import { docsDirectory, publicationOf } from './environment.ts'
import type { Environment } from './environment.ts'

/** A hub, ready to listen. */
export type Hub = {
  readonly app: FastifyInstance
  readonly store: Store
  readonly publicUrl: string
  /** Starts to accept requests. */
  readonly listen: () => Promise<void>
  /** Finishes the requests in progress and releases all resources. */
  readonly close: () => Promise<void>
}

type Start = { readonly mode: Mode; readonly inspect?: Inspect }

/** Less than the 30 s after which orchestrators kill a process that was asked to stop. */
const shutdownPatience = 20_000

/**
 * The composition root: settings → database, clock, keys → services.
 * @throws DefinitionError with all faults of mappings, sharing systems or the alert file
 */
export async function composeHub(config: Config, given: Environment, start: Start): Promise<Hub> {
  const { mode, inspect } = start
  const { mappings, systems, alerts } = await loadDefinitions(config, mode)
  const metrics = openRegistry()
  const observation = await composeObservation(config, given, metrics)
  const { now, ...opened } = await openStore(config, given, inspect)
  const [environment, store] = [{ ...given, now }, observed(opened, observation)]
  const access = await startAccess({ config, store, environment, mode })
  const publicUrl = publicUrlOf(config)
  const basis = { config, environment, store, access, metrics, observation }
  const publishing = { systems, secret: await loadSecret(store.database, store.secrets) }
  const push = composePush({ ...basis, mappings })
  const quota = await composeQuota(config, environment)
  const explorer = await composeExplorer({ config, environment, access, mode })
  const { log, version } = environment
  const app = await createApp({
    ...{ log, now, version, publicUrl, metrics, ...quota.limits },
    metricsAccess: metricsAccessOf(config),
    ...clientsOf(config),
    ...observation,
    authenticate: access.authenticate,
    answerBrowser: explorer.answerBrowser,
    services: servicesOf({ ...basis, push, quota, mode, publishing, explorer, alerts }),
  })
  const ends = [await doChores(basis), await share(store.database, config, environment)]
  return {
    app,
    store,
    publicUrl,
    listen: () => listen(app, push, config),
    close: async () => {
      for (const end of ends) end()
      access.rules.stop()
      await finishAnswers(app, environment)
      quota.stop()
      await push.stop()
      await Promise.all([observation.tracing?.stop(), store.database.close()])
    },
  }
}

async function loadDefinitions(config: Config, mode: Mode) {
  const mappings = await loadMappings(config.HUB_MAPPINGS)
  const alerts = await loadAlertFile(config)
  return { mappings, alerts, systems: await loadSharing(config, mode) }
}

/** Lets commands use the embedded database through this hub. PostgreSQL needs no sharing. */
function share(database: Database, config: Config, { platform }: Environment) {
  if (database.engine !== 'embedded') return Promise.resolve(() => undefined)
  return shareDatabase(database, { dataDir: config.HUB_DATA_DIR, platform })
}

async function startAccess(deps: Parameters<typeof composeAccess>[0]): Promise<Access> {
  const access = await composeAccess(deps)
  await access.rules.start()
  return access
}

async function listen(app: FastifyInstance, push: Push, config: Config): Promise<void> {
  await push.start()
  await app.listen({ port: config.HUB_PORT, host: config.HUB_HOST }).catch(explainPort)
}

/**
 * Stops accepting requests and waits for those in progress. Clients that do not read their response
 * are disconnected after `shutdownPatience`.
 */
async function finishAnswers(app: FastifyInstance, { every }: Environment): Promise<void> {
  const stopWaiting = every(shutdownPatience, () => {
    app.server.closeAllConnections()
  })
  await app.close()
  stopWaiting()
}

/** Settings about clients: proxies, connection limits, logged addresses, cached responses. */
function clientsOf(config: Config) {
  const { HUB_TRUSTED_PROXIES: trustedProxies, HUB_PROXY_HEADER: proxyHeader } = config
  const limits = {
    headersTimeout: config.HUB_HEADERS_TIMEOUT * 1000,
    requestTimeout: config.HUB_REQUEST_TIMEOUT * 1000,
    maxConnections: config.HUB_MAX_CONNECTIONS,
  }
  return {
    trustedProxies,
    proxyHeader,
    limits,
    logAddresses: config.HUB_LOG_ADDRESSES,
    answerMemory: config.HUB_ANSWER_MEMORY,
  }
}

function explainPort(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    throw new Error(
      `${error.message}. Stop what uses it, or set another port (HUB_PORT, HUB_METRICS).`,
      { cause: error },
    )
  }
  throw error
}

type Parts = {
  readonly config: Config
  readonly environment: Environment
  readonly store: WholeStore
  readonly access: Access
  readonly push: Push
  readonly quota: Quota
  readonly publishing: Publishing
  readonly metrics: Registry
  readonly observation: Observation
  readonly mode: Mode
  readonly explorer: ComposedExplorer
  /** Undefined without HUB_ALERTS. */
  readonly alerts: AlertFile | undefined
}

function publisherOf({ HUB_TRAFFIC_COUNTRY: country, HUB_TRAFFIC_LANGUAGE: language }: Config) {
  return { country, language }
}

function readsOf({ config, environment, store, access }: Parts) {
  return {
    database: store.database,
    cold: store.cold,
    publicUrl: publicUrlOf(config),
    profile: config.HUB_PROFILE,
    visibilityOf: access.rules.visibility,
    now: environment.now,
  }
}

function composeAdmin({ store, access, environment: { now } }: Parts) {
  const scopeNames = scopeNamesOf(store.entities)
  return adminRoutes({ ...store, ...access.accounts, now, refresh: access.refresh, scopeNames })
}

function servicesOf(parts: Parts): readonly FastifyPluginAsync[] {
  const { config, environment, store, access, push, quota, mode } = parts
  const changes = composeChanges(parts)
  const exports = composeExports({ config, environment, following: changes.following })
  const { database, entities } = store
  const reads = readsOf(parts)
  const { publicUrl, now } = reads
  const served = [...entities, ...viewsOf(toNaming(config.HUB_PREFIX))]
  const mobilityServices = composeMobility(parts)
  const asFeatures = ogcStandard({ ...reads, entities: served })
  const catalogue = composeCatalogue({
    ...{ config, environment, database, entities: served, rules: access.rules },
    standardsOf: (dataset) => [...mobilityServices.standardsOf(dataset), ...asFeatures(dataset)],
  })
  const records = publicRecords({ ...reads, database: database.read, entities: served })
  return [
    composeOperation({
      ...{ ...store, config, environment, rules: access.rules, metrics: parts.metrics },
      ...{ observation: parts.observation, datasets: catalogue.datasets },
      watched: [push, quota, changes, exports],
    }),
    securityContactRoutes({ publicUrl, now, contacts: config.HUB_SECURITY_CONTACT }),
    ...access.services,
    catalogue.routes,
    ...contentServices(parts, served),
    ...mobilityServices.services,
    changes.routes,
    exports.routes,
    push.routes,
    ...push.mappingRoutes,
    quota.routes,
    rightsRoutes(entities, access.permission),
    composeAdmin(parts),
    composeAlerts(parts, parts.alerts),
    qualityRoutes({ ...reads, entities: served }),
    composeMcp(parts),
    ...(mode === 'demo' ? [demoPictures] : []),
    parts.explorer.routes({ datasets: catalogue.datasets, records }),
  ]
}

function composeMcp({ config, environment, access }: Parts): FastifyPluginAsync {
  return mcpRoutes({
    ...{ publicUrl: publicUrlOf(config), now: environment.now, version: environment.version },
    ...{ issuer: access.issuer, title: config.HUB_TITLE, docs: docsDirectory },
    origins: config.HUB_MCP_ORIGINS ?? '',
  })
}

/** Composes the services for records: the hub's own interface and OGC API Features. */
function contentServices(parts: Parts, entities: readonly Entity[]): readonly FastifyPluginAsync[] {
  const { config, environment } = parts
  const reads = readsOf(parts)
  const { profile } = reads
  return [
    contentRoutes({
      ...reads,
      entities,
      mobility,
      stations: matchStations(profile),
      timeZone: config.HUB_TIME_ZONE,
      bodyLimit: config.HUB_BODY_LIMIT,
    }),
    ogcRoutes({
      ...reads,
      entities,
      title: config.HUB_TITLE,
      version: environment.version,
    }),
  ]
}

function composeMobility(parts: Parts) {
  const { config, environment, quota, metrics, publishing } = parts
  const { every, log } = environment
  const reads = readsOf(parts)
  const source = stationSource(reads.database.read, reads.visibilityOf)
  const region = publisherOf(config)
  const traffic = { ...reads, every, log, metrics, publisher: region }
  const feed = openTrafficFeed(traffic)
  const datex3 = { situation: () => feed.providers() }
  const published = { publicUrl: reads.publicUrl, now: traffic.now, region, datex3 }
  const standards = composePublishing({ ...published, config, publishing, source, metrics })
  const services: readonly FastifyPluginAsync[] = [
    timeseriesRoutes({
      ...reads,
      clientOriginPrefixes: config.HUB_CLIENT_ORIGIN_PREFIXES,
      historyLimitOf: quota.historyLimitOf,
      answerMemory: config.HUB_ANSWER_MEMORY,
    }),
    staRoutes({ ...reads, historyLimitOf: quota.historyLimitOf }),
    standards.routes,
    trafficService({ ...traffic, feed }),
  ]
  const asThings = staStandard(reads.publicUrl)
  const standardsOf: CatalogueParts['standardsOf'] = (dataset) => [
    ...standards.standardsOf(dataset),
    ...asThings(dataset),
  ]
  return { services, standardsOf }
}

type CatalogueParts = {
  readonly config: Config
  readonly environment: Pick<Environment, 'every' | 'log' | 'now'>
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly rules: RuleTable
  readonly standardsOf: Required<CatalogueDeps>['standardsOf']
}

function composeCatalogue(parts: CatalogueParts) {
  const { config, environment, database, entities, rules, standardsOf } = parts
  const { every, log, now } = environment
  const deps = {
    database: database.read,
    entities,
    publicUrl: publicUrlOf(config),
    title: config.HUB_TITLE,
    profile: config.HUB_PROFILE,
    licences: new Map(config.HUB_LICENCES.map(readLicence)),
    publication: publicationOf(config),
    standardsOf,
    visibilityOf: rules.visibility,
    now,
    every,
    onError: (err: unknown) => {
      log.warn({ err }, 'The catalogue could not be renewed; the last one stays.')
    },
  }
  const catalogue = keepCatalogue(deps)
  return {
    routes: catalogueRoutes(deps, catalogue),
    datasets: async () => (await catalogue.of(anonymous)).datasets,
  }
}

/** Request quotas. With `HUB_QUOTA=off` nothing is counted or limited. */
type Quota = {
  readonly limits: {
    readonly quota: Counters | undefined
    readonly quotaPerAddress: number
  }
  readonly historyLimitOf: TimeseriesDeps['historyLimitOf']
  readonly routes: FastifyPluginAsync
  readonly problems: () => readonly Problem[]
  readonly stop: () => void
}

async function composeQuota(config: Config, { every, log }: Environment): Promise<Quota> {
  const quotaPerAddress = config.HUB_QUOTA_PER_ADDRESS
  if (config.HUB_QUOTA === 'off') {
    log.warn('Request quotas are off (HUB_QUOTA=off).')
    return {
      limits: { quota: undefined, quotaPerAddress },
      historyLimitOf: undefined,
      routes: quotaRoutes({}),
      problems: () => [],
      stop: () => undefined,
    }
  }
  const opened = await openCounters({ redisUrl: config.HUB_REDIS_URL, every, log })
  return {
    limits: { quota: opened.counters, quotaPerAddress },
    historyLimitOf,
    routes: quotaRoutes(opened),
    problems: () => (opened.isWhole() ? [] : [notShared]),
    stop: opened.close,
  }
}

const notShared = {
  component: 'quota',
  detail: 'Redis does not respond, so each node counts requests separately.',
}

/** Serves the pictures of the demo's records. Loaded only in the demo. */
const demoPictures: FastifyPluginAsync = async (app) => {
  const { demoRoutes } = await import('../demo/index.ts')
  await app.register(demoRoutes)
}
