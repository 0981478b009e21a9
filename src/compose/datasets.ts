import type { Config } from '../config/index.ts'
import { registerDatasets, toNaming, viewsOf } from '../content/index.ts'
import type { Mobility } from '../content/index.ts'
import { countMobilityDataset, loadMobilityDatasets, versionedAs } from '../timeseries/index.ts'
import type { Store } from './open-store.ts'
import type { Surroundings } from './surroundings.ts'

/** What the content service says of the datasets of the time series service. */
export const mobility: Mobility = {
  load: loadMobilityDatasets,
  count: countMobilityDataset,
  versionedAs,
}

type Parts = {
  readonly config: Config
  readonly store: Store
  readonly surroundings: Pick<Surroundings, 'every' | 'log' | 'now'>
}

const halfAMinute = 30_000

/**
 * Every dataset has a metadata record: now, and soon after a station type or an origin appears.
 * @returns ends it
 */
export async function keepDatasetsRegistered({
  config,
  store,
  surroundings,
}: Parts): Promise<() => void> {
  const { every, log, now } = surroundings
  const { database } = store
  const entities = [...store.entities, ...viewsOf(toNaming(config.HUB_PREFIX))]
  const register = () => registerDatasets({ database, entities, mobility, now })
  await register()
  return every(halfAMinute, () => {
    register().catch((err: unknown) => {
      log.error({ err }, 'The metadata records of new datasets could not be made.')
    })
  })
}
