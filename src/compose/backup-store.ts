import { constants } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { loadBackup, placeOfBackup } from '../backup/index.ts'
import type { Backup, BackupPlace } from '../backup/index.ts'
import type { Config } from '../config/index.ts'
import { literal, sql } from '../sql/index.ts'
import {
  checkHistory,
  joinDatabase,
  migrate,
  openDatabase,
  readMigrationFiles,
} from '../storage/index.ts'
import type { Database } from '../storage/index.ts'
import { migrationsDirectory } from './environment.ts'
import type { Environment } from './environment.ts'
import { assertHub, openStore, placeOf } from './open-store.ts'

type Opened = {
  readonly database: Database
  /** Also removes what was needed meanwhile. */
  readonly close: () => Promise<void>
}

/** A place for backups, with the access to S3-compatible stores that the settings have. */
export function backupPlace(
  config: Config,
  { fetch }: Pick<Environment, 'fetch'>,
  place: string,
): BackupPlace {
  const { HUB_EXPORT_S3_REGION: region } = config
  const { HUB_EXPORT_S3_KEY_ID: keyId = '', HUB_EXPORT_S3_SECRET: secret = '' } = config
  return placeOfBackup({ place, region, keyId, secret, fetch })
}

/**
 * Opens the existing database of a hub to read everything in it, as it is: it is not migrated. The embedded database of
 * a hub that runs is copied first, because it has one session only: the hub waits for the copy, not for the reading.
 * @throws ConfigError where there is none
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
  const copy = await mkdtemp(join(resolve(config.HUB_DATA_DIR), 'backup-'))
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

/** Nobody else has the only session meanwhile, so the files stay as they are. */
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

const unfinished = literal('hub.restore.unfinished')

/**
 * Restores a backup into the empty database that the settings name, and brings it up to date.
 * @throws Error where something is in that database, or the backup was made by a newer version
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
    await database.execute(sql`comment on table migration is ${unfinished}`)
    await loadBackup(database, backup)
    await database.execute(sql`comment on table migration is null`)
  })
  await database.close()
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

/** A restore that was interrupted may be repeated. */
async function assertEmpty(database: Database, named: string): Promise<void> {
  const [hub] = await database.query<{ mark: string | null }>(sql`
    select obj_description(to_regclass('migration'), 'pg_class') as mark
    where to_regclass('migration') is not null`)
  if (hub === undefined || hub.mark === 'hub.restore.unfinished') return
  throw new Error(
    `There is a hub in ${named} already. A backup is restored only into an empty database: name another one by DATABASE_URL or HUB_DATA_DIR.`,
  )
}
