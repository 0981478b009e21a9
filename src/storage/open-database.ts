import type { Config } from '../config/index.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import type { Log } from './log.ts'
import { openPool } from './postgresql.ts'
import { heavyTimeout, toDatabase } from './to-database.ts'

type Options = {
  readonly config: Pick<
    Config,
    | 'DATABASE_URL'
    | 'DATABASE_READ_URL'
    | 'HUB_DATABASE_CONNECTIONS'
    | 'HUB_STATEMENT_TIMEOUT'
    | 'HUB_DATA_DIR'
  >
  readonly log: Log
  /** `process.platform`: decides how the embedded database is reached. */
  readonly platform: NodeJS.Platform
}

/**
 * The store that the configuration names: PostgreSQL by `DATABASE_URL`, otherwise the embedded
 * database in `HUB_DATA_DIR`, which is started here. PostgreSQL need not be up yet: `ping` tells.
 * @throws Error when the embedded database cannot be started, with the reason and what to do
 */
export async function openDatabase({ config, log, platform }: Options): Promise<Database> {
  const statementTimeout = config.HUB_STATEMENT_TIMEOUT
  if (config.DATABASE_URL === undefined) {
    // Long enough for one statement that takes all its time, and for a restart after it.
    const patience = statementTimeout + 10_000
    const connections = await openEmbedded({
      dataDir: config.HUB_DATA_DIR,
      platform,
      patience,
      log,
    })
    return toDatabase({
      engine: 'embedded',
      connections,
      readConnections: connections,
      heavy: { connections, places: 1 },
      statementTimeout,
    })
  }
  const { HUB_DATABASE_CONNECTIONS: most, DATABASE_READ_URL: readUrl } = config
  const pool = (url: string) => openPool({ url, connections: most, statementTimeout, log })
  const connections = pool(config.DATABASE_URL)
  const readConnections = readUrl === undefined ? connections : pool(readUrl)
  const places = Math.ceil(most / 5)
  const heavy = openPool({
    url: readUrl ?? config.DATABASE_URL,
    connections: places,
    statementTimeout: heavyTimeout(statementTimeout),
    options: '-c max_parallel_workers_per_gather=0',
    log,
  })
  return toDatabase({
    engine: 'postgresql',
    connections,
    readConnections,
    heavy: { connections: heavy, places },
    statementTimeout,
  })
}
