import { pino } from 'pino'
import { openStore } from '../../src/compose/index.ts'
import type { Store } from '../../src/compose/index.ts'
import { loadConfig } from '../../src/config/index.ts'
import { startHub, stopHub } from '../../test/fixtures/hub-process.ts'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import { databaseConnections } from './conditions.ts'
import { startPostgresql } from './postgresql.ts'
import type { Postgresql } from './postgresql.ts'

/** Where the benches run: a database, and a hub on it. Each bench loads what it measures. */
export type Environment = {
  readonly postgresql: Postgresql
  /** The database as the hub sees it, opened by the bench itself. */
  readonly store: Store
  readonly hub: HubProcess
  /** Another hub of the same settings, but for those given, on the same database; the caller stops it. */
  readonly startHub: (settings?: Readonly<Record<string, string>>) => Promise<HubProcess>
  /** Tells whoever waits how far it is. */
  readonly log: (text: string) => void
}

/** Starts everything, has `work` use it, and stops everything. */
export async function withEnvironment<Result>(
  log: Environment['log'],
  work: (environment: Environment) => Promise<Result>,
): Promise<Result> {
  const postgresql = await startPostgresql()
  try {
    return await onDatabase(postgresql, log, work)
  } finally {
    await postgresql.stop()
  }
}

async function onDatabase<Result>(
  postgresql: Postgresql,
  log: Environment['log'],
  work: (environment: Environment) => Promise<Result>,
): Promise<Result> {
  const store = await openBenchStore(postgresql)
  try {
    const hub = await startBenchHub(postgresql)
    try {
      const start: Environment['startHub'] = (more) => startBenchHub(postgresql, more)
      return await work({ postgresql, store, hub, log, startHub: start })
    } finally {
      await stopHub(hub)
    }
  } finally {
    await store.database.close()
  }
}

function openBenchStore({ url }: Postgresql): Promise<Store> {
  const config = loadConfig({ DATABASE_URL: url, HUB_STATEMENT_TIMEOUT: '600000' })
  const log = pino({ level: 'error' })
  const now = () => new Date()
  const every = () => () => undefined
  return openStore(config, {
    log,
    platform: process.platform,
    now,
    every,
    fetch,
    version: 'bench',
    originOf: () => 'default' as const,
  })
}

/** With the demo's clients, for the sake of a token; everything else is as in `hub serve`. */
function startBenchHub(
  { url }: Postgresql,
  more: Readonly<Record<string, string>> = {},
): Promise<HubProcess> {
  return startHub({
    // Benches fill the database themselves.
    args: ['demo', '--empty', '--really'],
    settings: {
      DATABASE_URL: url,
      HUB_DATABASE_CONNECTIONS: databaseConnections,
      HUB_STATEMENT_TIMEOUT: 30_000,
      HUB_DATA_DIR: 'unused',
    },
    environment: { HUB_QUOTA: 'off', HUB_LOG_LEVEL: 'warn', ...more },
  })
}
