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

/** Functions of the time series service that the content service needs for its datasets. */
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
 * Gives every dataset a metadata record: now, and soon after a station type or an origin appears.
 * @returns a function that stops it
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

/** Starts the hub's periodic background work. @returns a function that stops it */
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
 * Creates monthly tables in time, so that no value waits for one, and retires old months. A run
 * that did not finish is followed by the next within the hour.
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
 * Measures the freshness of the series for `/metrics`. Anyone who reaches that URL can read it, so
 * anonymous rights apply and closed data does not count. The first run may take long with much
 * data; requests do not wait for it.
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
      // No figures rather than the previous ones, which would look fresh forever.
      show([])
      log.warn({ err }, 'The freshness of the time series could not be measured.')
    }
  })
  void measure()
  return every(oneMinute, measure)
}

/**
 * Updates the roll-ups soon after each day and after late values. The next run continues one that
 * ran out of time.
 */
function keepRollupsCurrent({ store, environment }: Deps): () => void {
  const { every, log, now } = environment
  return every(tenMinutes, () => keepRollups({ database: store.database, log, now }))
}

/**
 * Measures the data quality of each day soon after the day has started, but not right after the
 * start of the hub, when other work comes first.
 */
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
