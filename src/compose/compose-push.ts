import type { FastifyPluginAsync } from 'fastify'
import { statfs } from 'node:fs/promises'
import { extname } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Registry } from 'prom-client'
import { publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import type { Problem } from '../observe/index.ts'
import {
  Backlog,
  PushThread,
  draftTrials,
  forgetOld,
  mappingRoutes,
  pushMetrics,
  pushRoutes,
  registerStreams,
  replayParked,
  storedMappingRoutes,
  storedMappings,
  streamTable,
} from '../push/index.ts'
import type { LoadedMapping } from '../push/index.ts'
import { sql } from '../sql/index.ts'
import { portOf, serveDatabase } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Access } from './access.ts'
import type { Observation } from './compose-operation.ts'
import { followMappings } from './follow-mappings.ts'
import type { CurrentMappings } from './follow-mappings.ts'
import { previewDeps } from './open-store.ts'
import type { Store } from './open-store.ts'
import type { Environment } from './environment.ts'
import type { ThreadTask } from './push-thread.ts'

/** The push collector of a hub: its routes, and the worker that processes the messages. */
export type Push = {
  readonly routes: FastifyPluginAsync
  /** Routes to write, try out and save mappings. */
  readonly mappingRoutes: readonly FastifyPluginAsync[]
  readonly problems: () => readonly Problem[]
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly config: Config
  readonly environment: Environment
  readonly store: Store
  readonly access: Pick<Access, 'permission' | 'tokenUrl'>
  readonly metrics: Registry
  readonly observation: Pick<Observation, 'tracing'>
  /** Mappings of streams, loaded and checked. */
  readonly mappings: readonly LoadedMapping[]
}

const twoSeconds = 2000
const oneHour = 3_600_000

/** Composes the push collector, its worker, and the monitoring of both. */
export function composePush(deps: Deps): Push {
  const { config, store, environment } = deps
  const { every, log, now } = environment
  const backlog = backlogOf(deps)
  const metrics = pushMetrics(deps.metrics, backlog, now)
  const { mappings, thread } = openWorkers(deps, backlog, (settled) => {
    metrics.settled(settled)
    deps.observation.tracing?.settled(settled)
  })
  const ready = { ...deps, mappings }
  const { read } = store.database
  const streams = streamTable({ database: read, every, onError: warnOfStreams(log) })
  const wake = () => {
    if (config.HUB_PUSH_WORKERS > 0) thread.wake()
  }
  const parts = { backlog, streams, metrics, wake, tryOut: (trial: Trial) => thread.tryOut(trial) }
  let ends: readonly (() => void)[] = []
  const trials = draftTrials(previewDeps(config, environment))
  const stored = storedMappingRoutes({ database: store.database, trials, mappings })
  return {
    routes: routesOf(ready, parts),
    mappingRoutes: [mappingRoutes({ trials, now }), stored],
    problems: () => [...problemsOf(backlog, now(), config), ...mappings.problems()],
    start: async () => {
      const end = await mappings.follow()
      await store.database.transaction((tx) => registerStreams(tx, mappings.current()))
      await streams.start()
      ends = [end, await watch(ready, backlog, wake)]
      // The thread takes a second or two to start, and the first push should not wait for that.
      if (await hasReceived(read)) wake()
    },
    stop: async () => {
      for (const end of ends) end()
      streams.stop()
      await Promise.all([thread.stop(), trials.close()])
    },
  }
}

/** Reports whether this hub still keeps any pushed message. */
async function hasReceived(database: Queryable): Promise<boolean> {
  return (await database.texts(sql`select 1 from message limit 1`)).length > 0
}

function backlogOf({ config, store, environment }: Deps): Backlog {
  return new Backlog({
    database: store.database,
    now: environment.now,
    limit: config.HUB_PUSH_QUEUE_LIMIT,
    freeBytes: roomOf(config),
    reserve: config.HUB_PUSH_DISK_RESERVE * 1_048_576,
  })
}

type OnSettled = ConstructorParameters<typeof PushThread>[0]['onSettled']

/** Opens the thread that processes messages. Changed mappings need a new thread. */
function openWorkers(deps: Deps, backlog: Backlog, onSettled: OnSettled) {
  const { config, store, environment } = deps
  const mappings = followMappings({
    folder: config.HUB_MAPPINGS,
    loaded: deps.mappings,
    stored: storedMappings(store.database),
    environment,
    onChange: async () => {
      await store.database.transaction((tx) => registerStreams(tx, mappings.current()))
      thread.renew()
      // After saving a mapping, a user sees at once that earlier messages are processed.
      await replayUnread({ ...deps, mappings }, backlog)
    },
  })
  const open = () => openThread({ ...deps, mappings })
  const thread = new PushThread({ open, log: environment.log, onSettled })
  return { mappings, thread }
}

function warnOfStreams(log: Environment['log']): (err: unknown) => void {
  return (err) => {
    log.warn({ err }, 'The settings of streams could not be read; the last ones stay.')
  }
}

type Trial = Parameters<PushThread['tryOut']>[0]

type Parts = Required<
  Pick<Parameters<typeof pushRoutes>[0], 'backlog' | 'streams' | 'metrics' | 'wake' | 'tryOut'>
>

type Ready = Omit<Deps, 'mappings'> & { readonly mappings: CurrentMappings }

function routesOf(deps: Ready, parts: Parts): FastifyPluginAsync {
  const { config, store, access, environment } = deps
  const isMapped = (stream: string) => deps.mappings.current().some((one) => one.stream === stream)
  const nearlyRead = (stream: string, body: Uint8Array) =>
    isMapped(stream)
      ? undefined
      : store.pipelines.map(({ nearly }) => nearly?.(body)).find((fault) => fault !== undefined)
  return pushRoutes({
    ...parts,
    nearlyRead,
    mappings: deps.mappings.current,
    database: store.database,
    permission: access.permission,
    tokenUrl: access.tokenUrl,
    bodyLimit: config.HUB_PUSH_BODY_LIMIT,
    patience: config.HUB_PUSH_PATIENCE * 1000,
    publicUrl: publicUrlOf(config),
    now: environment.now,
  })
}

/**
 * Starts to count waiting messages, to have them processed, and to delete old ones. @returns a
 * function that stops it
 */
async function watch(deps: Ready, backlog: Backlog, wake: () => void): Promise<() => void> {
  const { every, log } = deps.environment
  const measure = async () => {
    try {
      await backlog.measure()
      if (backlog.waiting > 0) wake()
    } catch (err) {
      log.warn({ err }, 'Waiting messages could not be counted; the hub tries again.')
    }
  }
  await measure()
  const ends = [
    every(twoSeconds, () => replayUnread(deps, backlog).then(measure)),
    every(oneHour, () => forget(deps)),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Replays messages that were unread until their stream got a mapping. */
async function replayUnread(deps: Ready, backlog: Backlog): Promise<void> {
  const { config, store, mappings, environment } = deps
  const mapped = mappings.current().map(({ stream }) => stream)
  const streams = config.HUB_PUSH_WORKERS > 0 ? mapped : []
  try {
    await replayParked(store.database, { streams, backlog })
  } catch (err) {
    environment.log.warn(
      { err },
      'Messages that wait for a mapping could not be replayed; the hub tries again.',
    )
  }
}

async function forget({ config, store, environment }: Ready): Promise<void> {
  const { log, now } = environment
  try {
    const { unread } = await forgetOld(store.database, {
      now: now(),
      keepDays: config.HUB_PUSH_KEEP_DAYS,
      unreadDays: config.HUB_PUSH_UNREAD_DAYS,
      unreadBytes: config.HUB_PUSH_UNREAD_LIMIT * 1_048_576,
    })
    if (unread === 0) return
    log.warn({ unread }, 'Messages that nothing read were deleted for their age or size.')
  } catch (err) {
    log.warn({ err }, 'Old messages could not be deleted; the next hour tries again.')
  }
}

/**
 * Returns a function that measures free disk space, or undefined if the disk is unknown. Only the
 * disk of the embedded database is known, unless the settings name another one.
 */
function roomOf(config: Config): (() => Promise<number>) | undefined {
  const embedded = config.DATABASE_URL === undefined ? config.HUB_DATA_DIR : undefined
  const folder = config.HUB_PUSH_DISK ?? embedded
  if (folder === undefined) return undefined
  return async () => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }
}

const longWait = 300_000

function problemsOf(backlog: Backlog, now: Date, config: Config): readonly Problem[] {
  const obstacle = backlog.obstacle()
  const late = backlog.streams.filter(
    ({ oldest }) => oldest !== null && now.getTime() - oldest.getTime() > longWait,
  )
  const dead = backlog.streams.filter((one) => one.dead > 0)
  return [
    ...(obstacle === undefined
      ? []
      : [{ component: 'push', detail: `Nothing is accepted: ${obstacle.message}` }]),
    ...late.map(({ stream, waiting }) => ({
      component: 'push',
      detail: `Waiting messages on ${stream}: ${String(waiting)}, the oldest for more than 5 minutes.`,
    })),
    ...dead.map(({ stream, dead: count }) => ({
      component: 'push',
      detail: `Dead messages on ${stream}: ${String(count)}. Every attempt failed; hub push dead lists them.`,
    })),
    ...unreadProblems(backlog, config),
  ]
}

function unreadProblems({ streams }: Backlog, config: Config): readonly Problem[] {
  const [days, limit] = [config.HUB_PUSH_UNREAD_DAYS, config.HUB_PUSH_UNREAD_LIMIT]
  const kept = [
    ...(days === 0 ? [] : [`for ${String(days)} days`]),
    ...(limit === 0 ? [] : [`while all of them together have at most ${String(limit)} MiB`]),
  ]
  const until = kept.length === 0 ? '' : ` They are kept ${kept.join(' and ')}.`
  return streams
    .filter(({ unread }) => unread > 0)
    .map(({ stream, unread }) => ({
      component: 'push',
      detail: `Unread messages of ${stream}: ${String(unread)}. Their receipts give the reason.${until}`,
    }))
}

const program = new URL(`./push-thread${extname(import.meta.filename)}`, import.meta.url)

/**
 * Data parsed from a large body becomes garbage soon. Without a limit, it makes the young
 * generation alone grow to 130 MB.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/**
 * Starts the thread. It borrows the embedded database, which has a single connection; with
 * PostgreSQL it opens connections of its own.
 */
function openThread({ config, store, environment, mappings }: Ready): Worker {
  const atOnce = store.database.engine === 'embedded' ? 1 : config.HUB_PUSH_WORKERS
  const task: ThreadTask = {
    prefix: config.HUB_PREFIX,
    profile: config.HUB_PROFILE,
    atOnce: Math.min(atOnce, config.HUB_PUSH_WORKERS),
    level: environment.log.level,
    mappings: [...mappings.current()],
    mappingMemory: config.HUB_MAPPING_MEMORY,
    bodyLimit: config.HUB_PUSH_BODY_LIMIT,
    patience: config.HUB_PUSH_STATION_WAIT * 1000,
    config: {
      ...(config.DATABASE_URL === undefined ? {} : { DATABASE_URL: config.DATABASE_URL }),
      // One more for trials.
      HUB_DATABASE_CONNECTIONS: config.HUB_PUSH_WORKERS + 1,
      HUB_DATABASE_POOLER: config.HUB_DATABASE_POOLER,
      HUB_STATEMENT_TIMEOUT: config.HUB_STATEMENT_TIMEOUT,
      HUB_DATA_DIR: config.HUB_DATA_DIR,
    },
  }
  if (store.database.engine === 'postgresql')
    return new Worker(program, { resourceLimits, workerData: { task } })
  const { port1, port2 } = new MessageChannel()
  const endTransactions = serveDatabase(store.database, portOf(port1))
  const thread = new Worker(program, {
    resourceLimits,
    workerData: { task, database: port2 },
    transferList: [port2],
  })
  thread.once('exit', () => {
    endTransactions()
    port1.close()
  })
  return thread
}
