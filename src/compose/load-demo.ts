import type { CanonicalObject, Region } from '../demo/index.ts'
import { storeBody } from '../push/index.ts'
import { sql } from '../sql/index.ts'
import type { Store } from './open-store.ts'

type Loading = {
  readonly store: Store
  readonly now: () => Date
  /** Ends the loading between two messages. */
  readonly signal: AbortSignal
  /** Told how many items of how many are stored. */
  readonly onProgress: (done: number, total: number) => void
}

const stream = 'demo/region'

/** What has to be there before the hub opens: everything but the history. Takes seconds. */
export async function loadPresent(region: Region, loading: Loading): Promise<void> {
  const { content, stations, dataTypes, edges, events } = region.size
  await load(presentOf(region), content + stations + dataTypes + edges + events, loading)
}

/** Thirty days of measurements; the hub answers meanwhile. */
export async function loadHistory(region: Region, loading: Loading): Promise<void> {
  await load(region.measurements(), region.size.measurements, loading)
}

/** What happened between two moments, so that the demo goes on living. */
export async function loadMoments(
  region: Region,
  { from, to }: { readonly from: Date; readonly to: Date },
  loading: Omit<Loading, 'onProgress'>,
): Promise<void> {
  await load(region.live(from, to), 0, { ...loading, onProgress: () => undefined })
}

function* presentOf(region: Region): Iterable<CanonicalObject> {
  yield* region.content()
  yield* region.dataTypes()
  yield* region.stations()
  yield* region.edges()
  yield* region.events()
}

/** Fewer, larger messages: each is a transaction of its own. */
const itemsPerMessage = 5_000

/** Stores objects as an ADMIN would push them, as NDJSON. */
async function load(objects: Iterable<CanonicalObject>, total: number, loading: Loading) {
  let done = 0
  for (const message of messagesOf(objects)) {
    loading.signal.throwIfAborted()
    await store(message, loading)
    done += message.reduce((sum, { items }) => sum + items.length, 0)
    loading.onProgress(done, total)
  }
}

function* messagesOf(objects: Iterable<CanonicalObject>): Iterable<readonly CanonicalObject[]> {
  let message: CanonicalObject[] = []
  let items = 0
  for (const object of objects) {
    message.push(object)
    items += object.items.length
    if (items < itemsPerMessage) continue
    yield message
    message = []
    items = 0
  }
  if (message.length > 0) yield message
}

async function store(message: readonly CanonicalObject[], { store: into, now }: Loading) {
  const body = Buffer.from(message.map((object) => JSON.stringify(object)).join('\n'))
  const origin = { stream, received: now(), mayBackdate: true, body }
  const outcome = await into.database.transaction((tx) => storeBody(tx, into.pipelines, origin))
  const [fault] = outcome?.rejected ?? []
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
