import { ConfigError } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { toNaming } from '../content/index.ts'
import type { Region, RegionMessage, RegionTask } from '../demo/index.ts'
import { EXPLORER_CLIENT, demoAccounts } from '../identity/index.ts'
import { storeKept } from '../push/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { tryAgain } from '../storage/index.ts'
import type { Log, Queryable } from '../storage/index.ts'
import { pastOf } from '../timeseries/index.ts'
import type { Hub } from './compose-hub.ts'
import type { Store } from './open-store.ts'
import { isLoopback } from './environment.ts'
import type { Environment } from './environment.ts'

type Loading = {
  readonly store: Store
  readonly now: () => Date
  /** Stops the loading between two messages. */
  readonly signal: AbortSignal
}

type OnProgress = (done: number, total: number) => void

const stream = 'demo/region'

/** Imported on demand, because it takes a tenth of a second that other commands need not spend. */
const loadDemo = () => import('../demo/index.ts')

/**
 * Loads a part of a region. The `present` part must be loaded before the hub opens and takes
 * seconds; the `history` is loaded while the hub serves requests. Loading a part again changes
 * nothing.
 * @throws AbortError when it is stopped; stored messages stay
 */
export async function loadRegion(
  task: RegionTask,
  loading: Loading & { readonly onProgress: OnProgress },
): Promise<void> {
  let done = 0
  const { makeMessages } = await loadDemo()
  const messages = makeMessages(task, loading.signal)
  const drain = async () => {
    for await (const message of messages) {
      await store(message, loading)
      done += message.items
      loading.onProgress(done, message.total)
    }
  }
  // Messages of `present` depend on earlier ones; values depend on their stations only.
  const drains = Array.from({ length: task.part === 'present' ? 1 : atOnce }, drain)
  const ends = await Promise.allSettled(drains)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** While the database stores one message of values, the hub parses the next one. */
const atOnce = 2

/** Loads one example of each kind of data, only once: later changes to them stay. */
async function loadExamples(naming: ReturnType<typeof toNaming>, loading: Loading): Promise<void> {
  const examples = 'examples'
  if ((await reachedUntil(loading.store, 'present', examples)) !== undefined) return
  const until = loading.now()
  const { examplesOf, messagesOf } = await loadDemo()
  for (const message of messagesOf(examplesOf({ naming, now: until })))
    await store(message, loading)
  await rememberReached(loading.store, 'present', { region: examples, until })
}

/** Loads what happened between two times, so that the demo stays alive. */
async function loadMoments(
  region: Region,
  { from, to }: { readonly from: Date; readonly to: Date },
  loading: Loading,
): Promise<void> {
  const { messagesOf } = await loadDemo()
  for (const message of messagesOf(region.live(from, to))) await store(message, loading)
}

/** Stores a message as if an ADMIN had pushed it. */
async function store({ body }: RegionMessage, { store: into, now, signal }: Loading) {
  const { database, pipelines } = into
  const message = { stream, received: now(), mayBackdate: true, body, sender: 'demo' }
  const outcome = await tryAgain(() => {
    signal.throwIfAborted()
    return database.transaction((tx) => storeKept(tx, { pipelines, now }, message))
  })
  const [fault = outcome.unread] = outcome.rejected
  if (fault !== undefined) throw new Error(`The demo made a wrong item: ${JSON.stringify(fault)}`)
}

/** Progress of a region's loading, as stored in its database. */
type Milestone = 'present' | 'history' | 'life'

/** Returns up to when a milestone of this very region was reached; undefined if it was not. */
async function reachedUntil(
  { database }: Store,
  milestone: Milestone,
  region: string,
): Promise<Date | undefined> {
  const [row] = await database.query<{ value: string }>(
    sql`select value from deployment where name = ${`demo ${milestone} of ${region}`}`,
  )
  return row === undefined ? undefined : new Date(row.value)
}

async function rememberReached(
  { database }: Store,
  milestone: Milestone,
  { region, until }: { readonly region: string; readonly until: Date },
): Promise<void> {
  await database.execute(sql`
    insert into deployment (name, value)
    values (${`demo ${milestone} of ${region}`}, ${until.toISOString()})
    on conflict (name) do update set value = excluded.value`)
}

export type DemoOptions = { readonly seed: number; readonly scale: number }

type Deps = {
  readonly hub: Pick<Hub, 'store' | 'publicUrl'>
  readonly config: Pick<Config, 'HUB_PREFIX'>
  readonly environment: Pick<Environment, 'now' | 'every'> & { readonly log: Log }
  readonly progress: (phase: string) => {
    readonly update: (done: number, total: number) => void
    readonly stop: () => void
  }
}

/** The demo's region: its present state, its history, and its life from then on. */
export type Demo = {
  /** Loads what the hub needs before it opens, unless an earlier start has done so. */
  readonly loadPresent: () => Promise<Loaded>
  /** Loads the history while the hub serves requests, unless an earlier start has done so. */
  readonly loadHistory: () => Promise<Loaded>
  /** Catches up with the time while the hub was off, then continues every minute. */
  readonly live: () => void
  /** Stops the work in progress. A later start continues from there. */
  readonly stop: () => Promise<void>
}

type Loaded = 'complete' | 'stopped'

const oneMinute = 60_000

/**
 * In milliseconds. Longer gaps are not filled, because a month of missed values would take long.
 */
const maxGap = 86_400_000

export async function planDemo(deps: Deps, { seed, scale }: DemoOptions): Promise<Demo> {
  const { hub, config, environment } = deps
  const { store, publicUrl } = hub
  const name = `seed ${String(seed)}, scale ${String(scale)}`
  const until = (await reachedUntil(store, 'present', name)) ?? environment.now()
  const plan = { seed, scale, until, naming: toNaming(config.HUB_PREFIX), publicUrl }
  const stopping = new AbortController()
  const { signal } = stopping
  const { planRegion } = await loadDemo()
  const loading = { store, now: environment.now, signal }
  const load = async (part: 'present' | 'history', title: string) => {
    if ((await reachedUntil(store, part, name)) !== undefined) return
    const { update, stop } = deps.progress(title)
    await loadRegion({ part, plan }, { ...loading, onProgress: update }).finally(stop)
    await rememberReached(store, part, { region: name, until })
  }
  const life = startLife({ region: planRegion(plan), name, until, loading, environment })
  return {
    loadPresent: () => orStopped(load('present', 'Region '), signal),
    loadHistory: () => orStopped(load('history', 'History'), signal),
    live: life.start,
    stop: () => {
      stopping.abort()
      return life.stop()
    },
  }
}

/** Loads one example of each kind of data, instead of the region. */
export async function showExamples({ hub, config, environment }: Omit<Deps, 'progress'>) {
  const { signal } = new AbortController()
  await loadExamples(toNaming(config.HUB_PREFIX), { ...environment, store: hub.store, signal })
}

/** Waits for a load. Being stopped is not a failure, because the next start loads again. */
async function orStopped(load: Promise<void>, signal: AbortSignal): Promise<Loaded> {
  try {
    await load
    return 'complete'
  } catch (error) {
    if (signal.aborted) return 'stopped'
    throw error
  }
}

type Life = {
  readonly region: Region
  readonly name: string
  readonly until: Date
  readonly loading: Parameters<typeof loadMoments>[2]
  readonly environment: Deps['environment']
}

function startLife({ region, name, until, loading, environment: { every, log, now } }: Life) {
  let pending = Promise.resolve()
  let stop = (): void => undefined
  const liveOn = async () => {
    const reached = (await reachedUntil(loading.store, 'life', name)) ?? until
    const from = new Date(Math.max(reached.getTime(), now().getTime() - maxGap))
    const to = now()
    await loadMoments(region, { from, to }, loading)
    await rememberReached(loading.store, 'life', { region: name, until: to })
  }
  const goOn = () =>
    (pending = pending.then(liveOn).catch((err: unknown) => {
      if (!loading.signal.aborted) log.error({ err }, 'The demo could not continue.')
    }))
  return {
    start: () => {
      void goOn()
      const end = every(oneMinute, goOn)
      stop = () => {
        end()
      }
    },
    stop: async () => {
      stop()
      await pending
    },
  }
}

/**
 * The demo makes up data, and the secrets of its clients are public. It must never run on real
 * data, nor where other machines can reach it.
 */

const instead = 'Run hub serve instead, or hub demo --really to start the demo anyway.'

/** @throws ConfigError if other machines could reach the demo */
export function assertLoopback({ HUB_HOST }: Pick<Config, 'HUB_HOST'>): void {
  if (isLoopback(HUB_HOST)) return
  throw new ConfigError([
    `HUB_HOST: "${HUB_HOST}" can be reached from other machines, and the secret of each demo client is its name (allowed for hub demo: 127.0.0.1, ::1 or localhost). ${instead}`,
  ])
}

/** @throws ConfigError if anything was found */
export function assertNothingForeign(found: readonly string[]): void {
  if (found.length === 0) return
  throw new ConfigError([
    `The database holds what the demo did not load: ${found.join('; ')}. hub demo takes an empty database (DATABASE_URL, HUB_DATA_DIR) or one that it has filled. ${instead}`,
  ])
}

type Place = { readonly table: string; readonly title: string; readonly names: Sql }

/**
 * Senders of the demo. `import` is not one of them: data that a person has imported must not be
 * mixed with made-up data.
 */
const demoSenders = ['demo', EXPLORER_CLIENT, ...demoAccounts.clients.map((one) => one.clientId)]

/** Rows that the demo never makes, at any time. */
const madeByOthers: readonly Place[] = [
  {
    table: 'identity_client',
    title: 'clients',
    names: sql`select client_id as name from identity_client order by name limit 3`,
  },
  {
    table: 'identity_user',
    title: 'users',
    names: sql`select username as name from identity_user order by name limit 3`,
  },
  {
    table: 'message',
    title: 'messages from',
    names: sql`
      select distinct sender as name from message
      where sender <> all(${demoSenders}::text[]) order by name limit 3`,
  },
]

/**
 * Any data, which is foreign unless the demo was there first: every write of data leaves a change.
 */
const data: Place = {
  table: 'change',
  title: 'data',
  names: sql`
    select dataset as name from change where not starts_with(dataset, ${pastOf('')})
    order by sequence desc limit 1`,
}

/**
 * Finds data that the demo did not load: accounts and messages of others, and any data if the demo
 * did not start with an empty database. The schema may be of any version, or missing.
 */
export async function findForeignData(database: Queryable): Promise<readonly string[]> {
  const rows = await database.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = current_schema()`,
  )
  const tables = new Set(rows.map(({ name }) => name))
  const isOwn = tables.has('deployment') && (await isMarkedOwn(database))
  const found: string[] = []
  for (const { table, title, names } of isOwn ? madeByOthers : [data, ...madeByOthers]) {
    if (!tables.has(table)) continue
    const foreign = await database.query<{ name: string }>(names)
    if (foreign.length === 0) continue
    found.push(`${title} (${foreign.map(({ name }) => name).join(', ')})`)
  }
  return found
}

const mark = 'demo database'

/** Stores at the first start of the demo whether the database was its own. Never changed later. */
export async function markDemo(database: Queryable, found: readonly string[]): Promise<void> {
  await database.execute(sql`
    insert into deployment (name, value)
    values (${mark}, ${found.length === 0 ? 'own' : 'foreign'})
    on conflict (name) do nothing`)
}

/** Reports whether the demo owns the database. Earlier versions left only loading milestones. */
async function isMarkedOwn(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ own: boolean | null }>(sql`
    select bool_and(name <> ${mark} or value = 'own') as own
    from deployment where name like 'demo %'`)
  return row?.own === true
}
