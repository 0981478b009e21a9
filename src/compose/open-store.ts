import { join, resolve } from 'node:path'
import { ConfigError } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import {
  assertPrefix,
  entitiesOf,
  syncEntityTables,
  syncFeedTriggers,
  syncHistoryTriggers,
  toNaming,
  viewsOf,
} from '../content/index.ts'
import type { Entity } from '../content/index.ts'
import { folderStore, s3Store } from '../exports/index.ts'
import { canonicalKinds, canonicalPipeline } from '../push/index.ts'
import type { Pipeline } from '../push/index.ts'
import { sql } from '../sql/index.ts'
import {
  hasDatabase,
  joinDatabase,
  migrate,
  openDatabase,
  openSecrets,
  sealStored,
  sharedClock,
} from '../storage/index.ts'
import type { Database, Log, Secrets } from '../storage/index.ts'
import { ensurePartitionsAhead, openColdMonths } from '../timeseries/index.ts'
import type { ColdMonths } from '../timeseries/index.ts'
import { migrationsDirectory } from './environment.ts'
import type { Environment } from './environment.ts'

/** The data of a hub, opened and migrated, with what is needed to put more into it. */
export type Store = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly pipelines: readonly Pipeline[]
  readonly secrets: Secrets
}

/** Looks at a database before anything is changed in it. */
export type Inspect = (database: Database) => Promise<void>

/** A store with the files of its cold months. */
export type WholeStore = Store & { readonly cold: ColdMonths }

/** The same, and the time of its database, which all nodes share. */
export type OpenStore = WholeStore & Pick<Environment, 'now'>

/**
 * Opens the database that the settings name and brings it up to date.
 * @param inspect sees the database as it is before; what it throws leaves it so
 * @throws Error when it cannot be opened, with the reason and what to do
 */
export async function openStore(
  config: Config,
  environment: Environment,
  inspect?: Inspect,
): Promise<OpenStore> {
  const { log, platform } = environment
  return bringUp(await openDatabase({ config, log, platform }), { config, environment }, inspect)
}

type Settings = { readonly config: Config; readonly environment: Environment }

async function bringUp(
  database: Database,
  { config, environment }: Settings,
  inspect: Inspect | undefined,
): Promise<OpenStore> {
  const { log } = environment
  try {
    await inspect?.(database)
    const now = await sharedClock({ ...environment, database, machine: () => new Date() })
    const entities = entitiesOf(toNaming(config.HUB_PREFIX), config.HUB_PROFILE)
    await bringUpToDate(database, {
      entities,
      prefix: config.HUB_PREFIX,
      environment: { log, now },
    })
    const secrets = openSecrets(config.HUB_KEY)
    await sealStored(database, secrets)
    const pipelines = [canonicalPipeline(canonicalKinds(entities))]
    const cold = openColdMonths({ database, store: coldStore(config, environment) })
    return { database, cold, entities, pipelines, secrets, now }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Where the files of cold months are kept; undefined where the settings name no place for them. */
function coldStore(config: Config, { fetch }: Pick<Environment, 'fetch'>) {
  const inData = config.DATABASE_URL === undefined ? join(config.HUB_DATA_DIR, 'cold') : undefined
  const place = config.HUB_COLD_PLACE ?? inData
  if (place === undefined) return undefined
  if (!/^https?:/.test(place)) return folderStore(resolve(place))
  const { HUB_EXPORT_S3_REGION: region } = config
  const { HUB_EXPORT_S3_KEY_ID: keyId = '', HUB_EXPORT_S3_SECRET: secret = '' } = config
  return s3Store({ url: place, region, keyId, secret, fetch }, 'hub-cold/')
}

/**
 * The same for commands on an existing hub: it never creates a database, and uses an embedded one together
 * with the hub that runs on it.
 * @throws ConfigError when there is none at the place that the settings name
 */
export async function openExisting(config: Config, environment: Environment): Promise<OpenStore> {
  assertHub(config)
  const assertMigrated: Inspect = async (database) => {
    const [row] = await database.texts(sql`select to_regclass('migration')::text`)
    if (row?.[0] === null) throw noHub(config)
  }
  const place = { dataDir: config.HUB_DATA_DIR, platform: environment.platform }
  const shared = config.DATABASE_URL === undefined ? await joinDatabase(place) : undefined
  return shared === undefined
    ? openStore(config, environment, assertMigrated)
    : bringUp(shared, { config, environment }, assertMigrated)
}

function noHub(config: Config): ConfigError {
  const named = placeOf(config)
  return new ConfigError([
    `There is no hub in ${named}. Set DATABASE_URL or HUB_DATA_DIR to the data of the hub, or create a new database with hub migrate.`,
  ])
}

/** @throws ConfigError where there is no embedded database, so that none is created */
export function assertHub(config: Config): void {
  if (config.DATABASE_URL === undefined && !hasDatabase(config.HUB_DATA_DIR)) throw noHub(config)
}

/** The database that the settings name, without what nobody should see. */
export function placeOf({ DATABASE_URL: written, HUB_DATA_DIR: folder }: Config): string {
  if (written === undefined) return `the embedded database in ${resolve(folder)}`
  const { host, pathname, searchParams } = new URL(written)
  return `the database ${pathname.slice(1)} at ${searchParams.get('host') ?? host}`
}

type Target = {
  readonly entities: readonly Entity[]
  readonly prefix: string
  readonly environment: { readonly log: Log } & Pick<Environment, 'now'>
}

/** Everything that a database needs before it can serve: schema, entity tables, partitions. */
export async function bringUpToDate(database: Database, target: Target): Promise<void> {
  const { log, now } = target.environment
  await migrate(database, { directory: migrationsDirectory, log })
  await assertPrefix(database, target.prefix)
  const served = [...target.entities, ...viewsOf(toNaming(target.prefix))]
  await syncEntityTables(database, served)
  await syncHistoryTriggers(database, target.entities)
  await syncFeedTriggers(database, served)
  await ensurePartitionsAhead(database, now())
}

/** What is needed to try mappings out, as the hub would use them. */
export function previewDeps(config: Config, { log }: Pick<Environment, 'log'>) {
  return {
    kinds: canonicalKinds(entitiesOf(toNaming(config.HUB_PREFIX), config.HUB_PROFILE)),
    memory: config.HUB_MAPPING_MEMORY,
    maxBytes: config.HUB_PUSH_BODY_LIMIT,
    log,
  }
}
