import type { FastifyPluginAsync } from 'fastify'
import { randomUUID } from 'node:crypto'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { RuleTable } from '../access/index.ts'
import type { Dataset } from '../catalogue/index.ts'
import { settingsInForce } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { healthRoutes } from '../observe/index.ts'
import type { Problem } from '../observe/index.ts'
import { announceNode, operationRoutes, readFigures, watchServices } from '../operation/index.ts'
import { durabilityOf } from '../push/index.ts'
import { pendingMigrations as findPending } from '../storage/index.ts'
import type { Database } from '../storage/index.ts'
import { firstKept } from '../timeseries/index.ts'
import type { ColdMonths } from '../timeseries/index.ts'
import type { Observation } from './compose-observation.ts'
import { migrationsDirectory } from './environment.ts'
import type { Environment } from './environment.ts'

type Deps = {
  readonly config: Config
  readonly environment: Pick<Environment, 'every' | 'log' | 'now' | 'originOf' | 'version'>
  readonly database: Database
  readonly cold: ColdMonths
  readonly rules: Pick<RuleTable, 'problems'>
  readonly metrics: Registry
  readonly observation: Pick<Observation, 'statements' | 'use'>
  /** Parts of the hub that know what is wrong with them. */
  readonly watched: readonly { readonly problems: () => readonly Problem[] }[]
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>
}

/** What says how the hub is doing: health, status, and what its operators see. */
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
