import type { FastifyPluginAsync } from 'fastify'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { RuleTable } from '../access/index.ts'
import type { Dataset } from '../catalogue/index.ts'
import { settingsInForce, publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import {
  answerClock,
  countUse,
  healthRoutes,
  measureStatements,
  openTracing,
} from '../observe/index.ts'
import type { AnswerClock, MetricsAccess, Problem, Tracing } from '../observe/index.ts'
import { announceNode, operationRoutes, readFigures, watchServices } from '../operation/index.ts'
import { durabilityOf } from '../push/index.ts'
import { pendingMigrations as findPending, watchStatements } from '../storage/index.ts'
import type { AroundStatement, Database } from '../storage/index.ts'
import { firstKept } from '../timeseries/index.ts'
import type { ColdMonths } from '../timeseries/index.ts'
import { isLoopback, migrationsDirectory } from './environment.ts'
import type { Environment } from './environment.ts'
import type { Store, WholeStore } from './open-store.ts'
import {
  alertRoutes,
  loadAlerts,
  mailThrough,
  notifyReceivers,
  watchRules,
} from '../alerts/index.ts'
import type { AlertFile } from '../alerts/index.ts'
import { internet } from '../http/index.ts'

type Deps = {
  readonly config: Config
  readonly environment: Pick<Environment, 'every' | 'log' | 'now' | 'originOf' | 'version'>
  readonly database: Database
  readonly cold: ColdMonths
  readonly rules: Pick<RuleTable, 'problems'>
  readonly metrics: Registry
  readonly observation: Pick<Observation, 'statements' | 'use'>
  readonly watched: readonly { readonly problems: () => readonly Problem[] }[]
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>
}

/** Composes health, status and the other services for operators. */
export function composeOperation(deps: Deps): FastifyPluginAsync {
  const { config, environment, database, rules, metrics, observation, watched } = deps
  const { every, log, now, version } = environment
  const health = {
    database,
    durability: durabilityOf(database.engine, config.HUB_EMBEDDED_SYNC),
    problems: () => watched.flatMap(({ problems }) => problems()),
    obstacles: rules.problems,
    pendingMigrations: () => findPending(database, migrationsDirectory),
  }
  const onError = (err: unknown) => {
    log.warn({ err }, 'This node could not be listed among those of the hub.')
  }
  gaugePools(metrics, database)
  return async (app) => {
    const node = { id: randomUUID(), version, started: now() }
    const leave = await announceNode({ database, every, now, onError }, node)
    const { stop, current } = await watchServices({ ...health, metrics, every, now })
    app.addHook('onClose', async () => {
      stop()
      await leave()
    })
    await app.register(healthRoutes(health))
    await app.register(
      operationRoutes({
        ...{ ...health, node, current, now, datasets: deps.datasets },
        policy: () => ({
          firstKept: firstKept(config.HUB_MEASUREMENT_KEEP_MONTHS, now()),
          retirement: config.HUB_MEASUREMENT_RETIREMENT,
          cold: deps.cold,
        }),
        problems: () => [...health.obstacles(), ...health.problems()],
        figures: () => readFigures(metrics),
        slowest: observation.statements.slowest,
        use: observation.use.most,
        settings: settingsInForce(config, environment.originOf),
      }),
    )
  }
}

function gaugePools(metrics: Registry, database: Database): void {
  const gauge = new Gauge({
    name: 'hub_database_connections',
    help: 'Connections of this process to the database: open, idle, and callers that wait for one',
    labelNames: ['pool', 'state'] as const,
    registers: [metrics],
    collect: () => {
      for (const { pool, open, idle, waiting } of database.pools?.() ?? []) {
        gauge.set({ pool, state: 'open' }, open)
        gauge.set({ pool, state: 'idle' }, idle)
        gauge.set({ pool, state: 'waiting' }, waiting)
      }
    },
  })
}

/** Observers of requests and of their SQL statements. */
export type Observation = {
  readonly statements: ReturnType<typeof measureStatements>
  readonly use: ReturnType<typeof countUse>
  readonly clock: AnswerClock | undefined
  readonly tracing: Tracing | undefined
}

export async function composeObservation(
  config: Config,
  { log, now, version }: Environment,
  metrics: Registry,
): Promise<Observation> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, HUB_TRACE_SHARE: share } = config
  const onError = (err: unknown) => {
    log.warn({ err }, 'Traces could not be sent and are dropped.')
  }
  return {
    statements: measureStatements(metrics),
    use: countUse(),
    clock: config.HUB_SERVER_TIMING === 'on' ? answerClock() : undefined,
    tracing:
      endpoint === undefined
        ? undefined
        : await openTracing({ endpoint, share, version, now, onError }),
  }
}

const tokenPrefix = 'token:'

/** Returns who may read the metrics. Default: nobody, if other machines can reach the hub. */
export function metricsAccessOf({ HUB_METRICS, HUB_HOST: host }: Config): MetricsAccess {
  const chosen = HUB_METRICS ?? (isLoopback(host) ? 'on' : 'off')
  if (chosen === 'on' || chosen === 'off') return { kind: chosen }
  if (!chosen.startsWith(tokenPrefix)) return { kind: 'port', port: Number(chosen), host }
  return { kind: 'token', token: chosen.slice(tokenPrefix.length) }
}

/** Returns the store with its statements observed. */
export function observed(
  store: WholeStore,
  { statements, clock, tracing }: Observation,
): WholeStore {
  const watchers: readonly AroundStatement[] = [
    statements.around,
    ...(clock === undefined ? [] : [clock.around]),
    ...(tracing === undefined ? [] : [tracing.around]),
  ]
  return watchers.reduce(
    (watched, around) => ({ ...watched, database: watchStatements(watched.database, around) }),
    store,
  )
}

type AlertDeps = {
  readonly config: Config
  readonly environment: Environment
  readonly store: Store
  readonly metrics: Registry
}

/** @throws DefinitionError if the file of HUB_ALERTS is invalid */
export async function loadAlertFile({ HUB_ALERTS: path, ...config }: Config) {
  if (path === undefined) return undefined
  return loadAlerts(path, mailOf(config) === undefined ? 'cannot be sent' : 'can be sent')
}

/** Composes the alerts of a hub. Without HUB_ALERTS there are none. */
export function composeAlerts(deps: AlertDeps, file: AlertFile | undefined): FastifyPluginAsync {
  const { config, environment, store, metrics } = deps
  const { database } = store
  const { every, now, log } = environment
  return async (app) => {
    await app.register(alertRoutes({ database, file, now }))
    if (file === undefined) return
    const onError = (err: unknown) => {
      log.warn({ err }, 'The alerts could not be evaluated or sent; the hub tries again.')
    }
    const shared = { database, file, now, every, onError }
    const end = watchRules({ ...shared, metrics, node: hostname() })
    const publicUrl = publicUrlOf(config)
    const endNotifying = notifyReceivers({
      ...shared,
      ...{ publicUrl, outside: internet, sendMail: mailOf(config) },
    })
    app.addHook('onClose', async () => {
      end()
      await endNotifying()
    })
  }
}

function mailOf({
  HUB_SMTP_URL: url,
  HUB_SMTP_FROM: from,
}: Pick<Config, 'HUB_SMTP_URL' | 'HUB_SMTP_FROM'>) {
  return url === undefined || from === undefined ? undefined : mailThrough(url, from)
}
