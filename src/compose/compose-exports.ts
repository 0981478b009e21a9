import type { FastifyPluginAsync } from 'fastify'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { ruleTable } from '../access/index.ts'
import type { Following } from '../changes/index.ts'
import { readLicence, publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import {
  exportMaker,
  exportRoutes,
  folderStore,
  keepExports,
  partLimits,
  s3Store,
} from '../exports/index.ts'
import type { ExportMaker, ExportStore, Outcome } from '../exports/index.ts'
import type { Problem } from '../observe/index.ts'
import { openFeeds } from './compose-changes.ts'
import type { Environment } from './environment.ts'
import type { Store } from './open-store.ts'

type Deps = {
  readonly config: Config
  readonly environment: Pick<Environment, 'every' | 'fetch' | 'log' | 'now'>
  /** Returns the state from which the feeds are read. */
  readonly following: () => Promise<Following>
}

/** Returns the store of the exports, or undefined if the settings name none. */
function storeOf(config: Config, environment: Pick<Environment, 'fetch'>): ExportStore | undefined {
  const { HUB_EXPORT_S3: url, HUB_EXPORT_S3_KEY_ID: keyId, HUB_EXPORT_S3_SECRET: secret } = config
  if (url !== undefined && keyId !== undefined && secret !== undefined) {
    const { HUB_EXPORT_S3_REGION: region } = config
    return s3Store({ url, region, keyId, secret, fetch: environment.fetch })
  }
  const isEmbedded = config.DATABASE_URL === undefined
  const inData = isEmbedded ? join(config.HUB_DATA_DIR, 'exports') : undefined
  const folder = config.HUB_EXPORT_DIR ?? inData
  return folder === undefined ? undefined : folderStore(resolve(folder))
}

function makerOf(following: Following, config: Config, store: ExportStore): ExportMaker {
  const licences = new Map(config.HUB_LICENCES.map(readLicence))
  return exportMaker({ following, store, licences, limits: partLimits, holder: randomUUID() })
}

type Publishing = Pick<Deps, 'config'> & {
  readonly store: Store
  readonly environment: Pick<Environment, 'now' | 'fetch'>
}

/**
 * Makes exports of all or the given datasets now, for a command.
 * @throws Error if the settings name no place for exports, or if another process is making them
 */
export async function publishExports(
  { config, environment, store }: Publishing,
  datasets: readonly string[],
  report: (outcome: Outcome) => void,
): Promise<void> {
  const place = storeOf(config, environment)
  if (place === undefined) {
    throw new Error(
      'There is no place for exports. Set HUB_EXPORT_DIR or HUB_EXPORT_S3, as the hub has them.',
    )
  }
  const never = () => () => undefined
  const onError = () => undefined
  const rules = ruleTable({ database: store.database, every: never, onError })
  await rules.refresh()
  const reading = { ...environment, every: never }
  const { following } = await openFeeds({ config, store, rules, onError, environment: reading })
  const maker = makerOf(following, config, place)
  const wanted = { age: 0, report, ...(datasets.length === 0 ? {} : { datasets }) }
  if ((await maker(wanted)) === 'done') return
  throw new Error(
    'Another process makes exports, or was killed less than 5 minutes ago. Try again later.',
  )
}

type Exports = {
  readonly routes: FastifyPluginAsync
  readonly problems: () => readonly Problem[]
}

const oneHour = 3_600_000

/** Composes the exports of a hub: their routes, and the periodic work that makes them. */
export function composeExports(deps: Deps): Exports {
  const { config, environment } = deps
  const store = storeOf(config, environment)
  const age = config.HUB_EXPORT_EVERY * oneHour
  const keeper =
    store === undefined || age === 0
      ? undefined
      : keepExports({
          ...environment,
          age,
          maker: async () => makerOf(await deps.following(), config, store),
        })
  return {
    problems: () => keeper?.problems() ?? [],
    routes: async (app) => {
      app.addHook('onClose', async () => keeper?.stop())
      const following = await deps.following()
      await app.register(exportRoutes({ following, store, publicUrl: publicUrlOf(config) }))
    },
  }
}
