import { pino } from 'pino'
import { openStore } from '../../src/compose/index.ts'
import type { Store } from '../../src/compose/index.ts'
import { loadConfig } from '../../src/config/index.ts'
import { startHub, stopHub } from '../../test/fixtures/hub-process.ts'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import { databaseConnections } from './conditions.ts'
import { startPostgresql } from './postgresql.ts'
import type { Postgresql } from './postgresql.ts'

/** The environment of the benches: a database, and a hub on it. Each bench loads its own data. */
export type Environment = {
  readonly postgresql: Postgresql
  /** The database as the hub sees it, opened by the bench itself. */
  readonly store: Store
  readonly hub: HubProcess
  /**
   * Starts another hub on the same database with the same settings except those given. The caller
   * stops it.
   */
  readonly startHub: (settings?: Readonly<Record<string, string>>) => Promise<HubProcess>
  /** Reports progress to the person at the terminal. */
  readonly log: (text: string) => void
}

/** Starts everything, passes it to `work`, and stops everything. */
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

/** Starts a hub as `hub serve` does, but with the demo's clients, because a token is needed. */
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
