import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import { createLimit, deadline } from '../async/index.ts'
import type { Config } from '../config/index.ts'
import { AppError } from '../errors/index.ts'
import type { Connections, Lease } from './connections.ts'
import type { Database, Log } from './database.ts'
import { freshReads } from './fresh-reads.ts'
import { openEmbedded } from './embedded/single-connection.ts'
import { databaseUnreachable } from './pg-errors.ts'
import { heavyTimeout, toDatabase } from './to-database.ts'

type PoolOptions = {
  readonly url: string
  readonly connections: number
  /** Milliseconds after which the server cancels a statement. */
  readonly statementTimeout: number
  /** Further session options, in the form of PostgreSQL's command line. */
  readonly options?: string
  readonly pooler: Config['HUB_DATABASE_POOLER']
  readonly log: Log
}

/** Longest wait for a free or new connection, in milliseconds. */
const connectionTimeout = 10_000

/** Milliseconds. A transaction idle for longer was forgotten; it blocks others and vacuum. */
const idleInTransactionTimeout = 60_000

/** A server is considered lost if it has not cancelled a statement this many ms after its limit. */
const grace = 5_000

/** Opens a pool of connections to PostgreSQL on demand: the server need not be up yet. */
function openPool(options: PoolOptions): Connections {
  const { url, connections, statementTimeout, pooler, log } = options
  const session = {
    connectionString: withSessionOptions(url, options.options),
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: idleInTransactionTimeout,
  }
  const pool = new Pool({
    // A pooler refuses session parameters, because its sessions are shared.
    ...(pooler === 'none' ? session : { connectionString: url }),
    max: connections,
    connectionTimeoutMillis: connectionTimeout,
    // Connections are renewed, so that nodes return to a server that was down for a while.
    maxLifetimeSeconds: 1800,
    fallback_application_name: 'hub',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const report = (error: Error) => {
    log.warn({ err: error }, 'A connection to PostgreSQL was lost')
  }
  // Without listeners a lost connection would end the process. `pool` reports those that are idle.
  pool.on('error', report)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    // A pooler tracks these two settings for each client. They are sent before the first statement.
    if (pooler === 'transaction')
      client.query(`set timezone to 'UTC'; set datestyle to 'ISO'`).catch(() => undefined)
  })
  let closing: Promise<void> | undefined
  return {
    lease: async () => toLease(await pool.connect()),
    use: () => ({
      ...{ open: pool.totalCount, idle: pool.idleCount },
      ...{ waiting: pool.waitingCount, most: connections },
    }),
    close: () => (closing ??= pool.end()),
  }
}

function toLease(client: PoolClient): Lease {
  return {
    send: (work, limit) =>
      limit === 0 ? work(client) : deadline(work(client), limit + grace, databaseUnreachable),
    end: (condition) => {
      client.release(condition === 'broken')
    },
  }
}

/**
 * Adds session options to the URL. Times are UTC and ISO 8601 in every session. JIT compilation is
 * off: PostgreSQL takes seconds to compile a statement that it expects to be long, such as one with
 * many distances, but runs it in milliseconds without. Options in the URL are kept and take
 * precedence.
 */
function withSessionOptions(url: string, further = ''): string {
  const [address = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  const given = parameters.get('options') ?? ''
  parameters.set(
    'options',
    `-c timezone=UTC -c datestyle=ISO -c jit=off ${further} ${given}`.trim(),
  )
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`
}

type Options = {
  readonly config: Pick<
    Config,
    | 'DATABASE_URL'
    | 'DATABASE_READ_URL'
    | 'HUB_DATABASE_CONNECTIONS'
    | 'HUB_STATEMENT_TIMEOUT'
    | 'HUB_DATA_DIR'
  > &
    Partial<Pick<Config, 'HUB_DATABASE_POOLER' | 'HUB_EMBEDDED_SYNC'>>
  readonly log: Log
  /** `process.platform`: decides how the embedded database is reached. */
  readonly platform: NodeJS.Platform
}

/**
 * Opens the database named in the configuration: PostgreSQL by `DATABASE_URL`, otherwise the
 * embedded database in `HUB_DATA_DIR`, which is started here. PostgreSQL need not be up yet; `ping`
 * checks that.
 * @throws Error if the embedded database cannot be started, with the reason and the remedy
 */
export async function openDatabase({ config, log, platform }: Options): Promise<Database> {
  const statementTimeout = config.HUB_STATEMENT_TIMEOUT
  if (config.DATABASE_URL === undefined) {
    // Enough for one statement that uses its whole time limit, and for a restart after it.
    const patience = statementTimeout + 10_000
    const connections = await openEmbedded({
      dataDir: config.HUB_DATA_DIR,
      platform,
      sync: config.HUB_EMBEDDED_SYNC ?? 'off',
      patience,
      log,
    })
    return toDatabase({
      engine: 'embedded',
      connections,
      readConnections: connections,
      heavy: heavyLine(connections, { places: 1, patience: statementTimeout }),
      statementTimeout,
    })
  }
  return toDatabase({
    engine: 'postgresql',
    ...serverPools(config.DATABASE_URL, config, log),
    statementTimeout,
  })
}

/** Opens the pools of connections to PostgreSQL, and to its replica if there is one. */
function serverPools(url: string, config: Options['config'], log: Log) {
  const { HUB_DATABASE_CONNECTIONS: most, DATABASE_READ_URL: readUrl } = config
  const { HUB_STATEMENT_TIMEOUT: statementTimeout, HUB_DATABASE_POOLER: pooler = 'none' } = config
  const pool = (address: string) =>
    openPool({ url: address, connections: most, statementTimeout, pooler, log })
  const places = Math.ceil(most / 5)
  const heavyPool = openPool({
    url: readUrl ?? url,
    connections: places,
    statementTimeout: heavyTimeout(statementTimeout),
    options: '-c max_parallel_workers_per_gather=0',
    pooler,
    log,
  })
  const line = (heavy: Connections) => heavyLine(heavy, { places, patience: statementTimeout })
  if (readUrl === undefined) {
    const connections = pool(url)
    return { connections, readConnections: connections, heavy: line(heavyPool), pooler }
  }
  const { primary, from } = freshReads(pool(url))
  return {
    connections: primary,
    readConnections: from(pool(readUrl)),
    heavy: line(from(heavyPool)),
    pooler,
  }
}

type Line = {
  /** Maximum number of statements that run at once. */
  readonly places: number
  /** Milliseconds that a statement waits for a place. */
  readonly patience: number
}

/** Maximum number of requests that wait for their first statement. */
const maxWaiting = 16

/**
 * Returns a function that makes connections for one request that may keep the database busy for
 * seconds. Only few such statements run at once, so that other statements hardly wait for them
 * (decision D70). The first statement of a request is refused if many are waiting; later ones are
 * not, so that a response in progress continues.
 * @throws AppError HUB-SRV-008 from `lease`, if too many are waiting or one has waited too long
 */
function heavyLine(connections: Connections, { places, patience }: Line): () => Connections {
  const limit = createLimit({ places, patience, refuse: tooManyHeavy })
  return () => {
    let isAdmitted = false
    return {
      lease: async () => {
        if (!isAdmitted && limit.waiting() >= maxWaiting) throw tooManyHeavy()
        isAdmitted = true
        const leave = await limit.enter()
        try {
          const lease = await connections.lease()
          return {
            send: lease.send,
            end: (condition) => {
              lease.end(condition)
              leave()
            },
          }
        } catch (error) {
          leave()
          throw error
        }
      },
      use: () => ({ ...connections.use(), waiting: limit.waiting() }),
      close: () => connections.close(),
    }
  }
}

function tooManyHeavy(): AppError {
  return new AppError('HUB-SRV-008', 'Too many slow requests are waiting for the database.', {
    hint: 'Try again after the time in Retry-After, or request less: a shorter range, a smaller circle, fewer conditions.',
    headers: { 'Retry-After': '10' },
  })
}
