import type { Registry } from 'prom-client'
import { anonymous } from '../access/index.ts'
import { joinRunning } from '../async/index.ts'
import type { Config } from '../config/index.ts'
import { registerDatasets, toNaming, viewsOf } from '../content/index.ts'
import type { Mobility } from '../content/index.ts'
import { measureDay } from '../quality/index.ts'
import {
  countMobilityDataset,
  freshnessMetrics,
  keepPartitions,
  keepRollups,
  loadByOrigin,
  loadMobilityDatasets,
  versionedAs,
} from '../timeseries/index.ts'
import type { Access } from './access.ts'
import type { Store, WholeStore } from './open-store.ts'
import type { Environment } from './environment.ts'

/** What the content service needs to know about the datasets of the time series service. */
export const mobility: Mobility = {
  load: loadMobilityDatasets,
  count: countMobilityDataset,
  versionedAs,
}

type DatasetParts = {
  readonly config: Config
  readonly store: Store
  readonly environment: Pick<Environment, 'every' | 'log' | 'now'>
}

const halfAMinute = 30_000

/**
 * Every dataset has a metadata record: now, and soon after a station type or an origin appears.
 * @returns ends it
 */
async function keepDatasetsRegistered({
  config,
  store,
  environment,
}: DatasetParts): Promise<() => void> {
  const { every, log, now } = environment
  const { database } = store
  const entities = [...store.entities, ...viewsOf(toNaming(config.HUB_PREFIX))]
  const register = () => registerDatasets({ database, entities, mobility, now })
  await register()
  return every(halfAMinute, () =>
    register().catch((err: unknown) => {
      log.error({ err }, 'The metadata records of new datasets could not be made.')
    }),
  )
}

type Deps = {
  readonly config: Config
  readonly store: WholeStore
  readonly environment: Pick<Environment, 'every' | 'log' | 'now'>
  readonly access: Pick<Access, 'rules'>
  readonly metrics: Registry
}

const oneMinute = 60_000
const tenMinutes = 600_000
const oneHour = 3_600_000

/** What a hub does by itself, now and again. @returns ends it */
export async function doChores(deps: Deps): Promise<() => void> {
  const ends = [
    keepPartitionsCurrent(deps),
    await keepDatasetsRegistered(deps),
    watchFreshness(deps),
    keepQuality(deps),
    keepRollupsCurrent(deps),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/**
 * So that no value ever waits for the table of its month, and old months leave. A run that could not end
 * is followed by the next one within the hour.
 */
function keepPartitionsCurrent({ config, store, environment }: Deps): () => void {
  const { HUB_MEASUREMENT_KEEP_MONTHS: keepMonths, HUB_MEASUREMENT_RETIREMENT: retirement } = config
  const span = {
    yearsBack: config.HUB_MEASUREMENT_YEARS_BACK,
    yearsAhead: config.HUB_MEASUREMENT_YEARS_AHEAD,
    latestAhead: config.HUB_LATEST_AHEAD,
  }
  const { every, log, now } = environment
  const { database, cold } = store
  const deps = { database, log, keepMonths, retirement, cold, span }
  const keep = joinRunning(() => keepPartitions(deps, now()))
  void keep()
  return every(oneHour, keep)
}

/**
 * How fresh the series are, for `/metrics`. These are for whoever reaches the address, so anonymous
 * rights apply: what is closed does not count. The first look may take long where there is much; requests
 * do not wait for it.
 */
function watchFreshness(deps: Deps): () => void {
  const { store, access, metrics, environment } = deps
  const { every, log, now } = environment
  const show = freshnessMetrics(metrics)
  const measure = joinRunning(async () => {
    try {
      const visibility = access.rules.visibility(anonymous)
      show(await loadByOrigin(store.database.read, visibility, now()))
    } catch (err) {
      // Nothing rather than what was found before, which would look fresh for ever.
      show([])
      log.warn({ err }, 'The freshness of the time series could not be measured.')
    }
  })
  void measure()
  return every(oneMinute, measure)
}

/** Soon after each day and after late values. A run that ran out of time is followed by the next one. */
function keepRollupsCurrent({ store, environment }: Deps): () => void {
  const { every, log, now } = environment
  return every(tenMinutes, () => keepRollups({ database: store.database, log, now }))
}

/** The figures of each day, soon after it has begun; a hub that has just started has other things to do. */
function keepQuality({ config, store, access, environment }: Deps): () => void {
  const { every, log, now } = environment
  const entities = [...store.entities, ...viewsOf(toNaming(config.HUB_PREFIX))]
  const deps = { database: store.database, now, profile: config.HUB_PROFILE, entities }
  return every(tenMinutes, () =>
    measureDay({ ...deps, visibilityOf: access.rules.visibility }).catch((err: unknown) => {
      log.warn({ err }, 'The quality of the data could not be measured; the hub tries again.')
    }),
  )
}
