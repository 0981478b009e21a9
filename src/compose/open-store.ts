import { constants } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
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
import { folderStore, s3Store, workFolders } from '../exports/index.ts'
import { canonicalKinds, canonicalPipeline } from '../push/index.ts'
import type { Pipeline } from '../push/index.ts'
import { literal, sql } from '../sql/index.ts'
import {
  checkHistory,
  hasDatabase,
  joinDatabase,
  migrate,
  openDatabase,
  openSecrets,
  readMigrationFiles,
  sealStored,
  sharedClock,
} from '../storage/index.ts'
import type { Database, Log, Secrets } from '../storage/index.ts'
import { ensurePartitionsAhead, openColdMonths } from '../timeseries/index.ts'
import type { ColdMonths } from '../timeseries/index.ts'
import { migrationsDirectory } from './environment.ts'
import type { Environment } from './environment.ts'
import { loadBackup, placeOfBackup } from '../backup/index.ts'
import type { Backup, BackupPlace } from '../backup/index.ts'

/** The data of a hub, opened and migrated, with what is needed to write to it. */
export type Store = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly pipelines: readonly Pipeline[]
  readonly secrets: Secrets
}

/** Inspects a database before anything in it is changed. */
export type Inspect = (database: Database) => Promise<void>

/** A store with the files of its cold months. */
export type WholeStore = Store & { readonly cold: ColdMonths }

/** A store with the clock of its database, which all nodes share. */
export type OpenStore = WholeStore & Pick<Environment, 'now'>

/**
 * Opens the database named in the settings and brings it up to date.
 * @param inspect sees the database before any change; if it throws, nothing is changed
 * @throws Error if the database cannot be opened, with the reason and the remedy
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
    await endRestore(database)
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

/** Returns the store of the files of cold months, or undefined if the settings name none. */
function coldStore(config: Config, { fetch }: Pick<Environment, 'fetch'>) {
  const inData = config.DATABASE_URL === undefined ? join(config.HUB_DATA_DIR, 'cold') : undefined
  const place = config.HUB_COLD_PLACE ?? inData
  if (place === undefined) return undefined
  if (!/^https?:/.test(place)) return folderStore(resolve(place), '.cold-')
  const { HUB_EXPORT_S3_REGION: region } = config
  const { HUB_EXPORT_S3_KEY_ID: keyId = '', HUB_EXPORT_S3_SECRET: secret = '' } = config
  return s3Store({ url: place, region, keyId, secret, fetch }, 'hub-cold/')
}

/**
 * Opens the store of an existing hub for a command. Never creates a database, and shares an
 * embedded one with the hub that is running on it.
 * @throws ConfigError if the settings name no existing hub
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

/** @throws ConfigError if there is no embedded database, so that none is created */
function assertHub(config: Config): void {
  if (config.DATABASE_URL === undefined && !hasDatabase(config.HUB_DATA_DIR)) throw noHub(config)
}

/** Describes the database named in the settings, without credentials. */
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

/** Prepares a database for service: schema, entity tables, triggers, partitions. */
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

/** Returns what is needed to try out mappings exactly as the hub would use them. */
export function previewDeps(config: Config, { log }: Pick<Environment, 'log'>) {
  return {
    kinds: canonicalKinds(entitiesOf(toNaming(config.HUB_PREFIX), config.HUB_PROFILE)),
    memory: config.HUB_MAPPING_MEMORY,
    maxBytes: config.HUB_PUSH_BODY_LIMIT,
    log,
  }
}

type Opened = {
  readonly database: Database
  /** Closes the database, and removes temporary files. */
  readonly close: () => Promise<void>
}

/** Opens a place for backups, with the credentials for S3-compatible stores from the settings. */
export function backupPlace(
  config: Config,
  { fetch }: Pick<Environment, 'fetch'>,
  place: string,
): BackupPlace {
  const { HUB_EXPORT_S3_REGION: region } = config
  const { HUB_EXPORT_S3_KEY_ID: keyId = '', HUB_EXPORT_S3_SECRET: secret = '' } = config
  return placeOfBackup({ place, region, keyId, secret, fetch })
}

/** Milliseconds after which a copy counts as left behind by a killed process. */
const oneDay = 86_400_000

/**
 * Opens the existing database of a hub for reading everything, without migrating it. The embedded
 * database of a running hub is copied first, because it has a single session: the hub waits for the
 * copy, but not for the reading.
 * @throws ConfigError if there is no database
 */
export async function openForBackup(config: Config, environment: Environment): Promise<Opened> {
  const { log, platform } = environment
  assertHub(config)
  const place = { dataDir: config.HUB_DATA_DIR, platform }
  const shared = config.DATABASE_URL === undefined ? await joinDatabase(place) : undefined
  if (shared === undefined) {
    const database = await openDatabase({ config, log, platform })
    return { database, close: database.close }
  }
  const copies = workFolders(resolve(config.HUB_DATA_DIR), '.copy-for-backup-')
  await copies.removeUnfinished(new Date(environment.now().getTime() - oneDay))
  const copy = await copies.openWorkFolder()
  const remove = () => rm(copy, { recursive: true, force: true })
  try {
    await copyFiles(shared, config.HUB_DATA_DIR, copy)
    const database = await openDatabase({
      ...{ log, platform },
      config: { ...config, HUB_DATA_DIR: copy },
    })
    const close = async () => {
      await database.close()
      await remove()
    }
    return { database, close }
  } catch (error) {
    await remove()
    throw error
  } finally {
    await shared.close()
  }
}

/**
 * Copies the files of the embedded database. The transaction occupies its only session, so they do
 * not change meanwhile.
 */
async function copyFiles(database: Database, from: string, to: string): Promise<void> {
  await database.transaction(
    async (tx) => {
      await tx.execute(sql`checkpoint`)
      const mode = constants.COPYFILE_FICLONE
      await cp(join(from, 'pg'), join(to, 'pg'), { recursive: true, mode })
    },
    { statementTimeout: 0 },
  )
}

const unfinished = 'hub.restore.unfinished'

/**
 * Restores a backup into the empty database named in the settings, and brings it up to date.
 * @throws Error if that database is not empty, or if a newer version made the backup
 */
export async function restoreStore(
  config: Config,
  environment: Environment,
  backup: Backup,
): Promise<void> {
  const { migrations } = backup.manifest
  const files = await readMigrationFiles(migrationsDirectory)
  assertKnown(migrations, files)
  const { database } = await openStore(config, environment, async (database) => {
    await assertEmpty(database, placeOf(config))
    const { log } = environment
    await migrate(database, { directory: migrationsDirectory, log, last: migrations.length })
    await database.execute(sql`comment on table migration is ${literal(unfinished)}`)
    await loadBackup(database, backup)
  })
  await database.close()
}

/** Ends a restore: from here on a hub writes to the database, so it cannot be repeated. */
async function endRestore(database: Database): Promise<void> {
  if ((await findHub(database))?.mark !== unfinished) return
  await database.execute(sql`comment on table migration is null`)
}

async function findHub(database: Database) {
  const [hub] = await database.query<{ mark: string | null }>(sql`
    select obj_description(to_regclass('migration'), 'pg_class') as mark
    where to_regclass('migration') is not null`)
  return hub
}

function assertKnown(
  migrations: Backup['manifest']['migrations'],
  files: Awaited<ReturnType<typeof readMigrationFiles>>,
): void {
  const beyond = migrations[files.length]
  if (beyond !== undefined) {
    throw new Error(
      `A newer version of the hub made this backup: its migration ${beyond.name} is not known to this one. Restore it with that version.`,
    )
  }
  checkHistory(migrations, files)
}

/** @throws Error if the database has a hub. An interrupted restore may be repeated. */
async function assertEmpty(database: Database, named: string): Promise<void> {
  const hub = await findHub(database)
  if (hub === undefined || hub.mark === unfinished) return
  throw new Error(
    `There is a hub in ${named} already. A backup is restored only into an empty database: name another one by DATABASE_URL or HUB_DATA_DIR.`,
  )
}
