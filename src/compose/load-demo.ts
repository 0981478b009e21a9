import { examplesOf, makeMessages, messagesOf } from '../demo/index.ts'
import type { Region, RegionMessage, RegionTask } from '../demo/index.ts'
import type { toNaming } from '../content/index.ts'
import { storeKept } from '../push/index.ts'
import { sql } from '../sql/index.ts'
import { tryAgain } from '../storage/index.ts'
import type { Store } from './open-store.ts'

type Loading = {
  readonly store: Store
  readonly now: () => Date
  /** Ends the loading between two messages. */
  readonly signal: AbortSignal
}

/** Told how many items of how many are stored. */
type OnProgress = (done: number, total: number) => void

const stream = 'demo/region'

/**
 * Loads a part of a region. What has to be there before the hub opens is `present` and takes seconds;
 * while it loads the `history`, the hub answers. Loading again what is there changes nothing.
 * @throws AbortError when it is stopped; what was stored stays
 */
export async function loadRegion(
  task: RegionTask,
  loading: Loading & { readonly onProgress: OnProgress },
): Promise<void> {
  let done = 0
  const messages = makeMessages(task, loading.signal)
  const drain = async () => {
    for await (const message of messages) {
      await store(message, loading)
      done += message.items
      loading.onProgress(done, message.total)
    }
  }
  // What is present builds on what came before it; values need nothing but their stations.
  const drains = Array.from({ length: task.part === 'present' ? 1 : atOnce }, drain)
  const ends = await Promise.allSettled(drains)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** While the database stores one message of values, the hub takes the next one apart. */
const atOnce = 2

/** One example of each kind of data, once: what became of them later stays. */
export async function loadExamples(
  naming: ReturnType<typeof toNaming>,
  loading: Loading,
): Promise<void> {
  const examples = 'examples'
  if ((await reachedUntil(loading.store, 'present', examples)) !== undefined) return
  const until = loading.now()
  for (const message of messagesOf(examplesOf({ naming, now: until })))
    await store(message, loading)
  await rememberReached(loading.store, 'present', { region: examples, until })
}

/** What happened between two moments, so that the demo goes on living. */
export async function loadMoments(
  region: Region,
  { from, to }: { readonly from: Date; readonly to: Date },
  loading: Loading,
): Promise<void> {
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

/** What the database remembers about the region that was loaded into it. */
export type Milestone = 'present' | 'history' | 'life'

/** Until when a milestone of this very region was reached; undefined when it was not. */
export async function reachedUntil(
  { database }: Store,
  milestone: Milestone,
  region: string,
): Promise<Date | undefined> {
  const [row] = await database.query<{ value: string }>(
    sql`select value from deployment where name = ${`demo ${milestone} of ${region}`}`,
  )
  return row === undefined ? undefined : new Date(row.value)
}

export async function rememberReached(
  { database }: Store,
  milestone: Milestone,
  { region, until }: { readonly region: string; readonly until: Date },
): Promise<void> {
  await database.execute(sql`
    insert into deployment (name, value)
    values (${`demo ${milestone} of ${region}`}, ${until.toISOString()})
    on conflict (name) do update set value = excluded.value`)
}
