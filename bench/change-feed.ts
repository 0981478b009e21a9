import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../src/sql/index.ts'
import { stopHub } from '../test/fixtures/hub-process.ts'
import type { HubProcess } from '../test/fixtures/hub-process.ts'
import { storeObjects } from './fixtures/store-objects.ts'
import { ceiling, comparison } from './harness/bench.ts'
import { records } from './harness/conditions.ts'
import type { Environment } from './harness/environment.ts'
import { secondsToCopy } from './harness/psql-copy.ts'
import { residentMegabytes } from './harness/resident-megabytes.ts'
import { secondsOf } from './harness/seconds-of.ts'

const feed = '/changes/Event'
const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
const following = new Agent({ keepAlive: true })

/** Opens a request to the feed without waiting for the end of its response. */
function begin(hub: HubProcess, query: string, onData: (text: string) => void = () => undefined) {
  const request = get(`${hub.url}${feed}?${query}`, { agent })
  request.on('error', () => undefined)
  request.on('response', (response: IncomingMessage) => {
    response.on('data', (part: Buffer) => {
      onData(part.toString())
    })
  })
  return request
}

async function offsetOf(hub: HubProcess): Promise<string> {
  const response = await fetch(`${hub.url}${feed}?offset=now`)
  return response.headers.get('stream-next-offset') ?? ''
}

const listeners = 100
const rounds = 5
const pushesOfRound = 20

/** Time from the acknowledgement of a push until a reader has received the line. */
export const changesDelay = ceiling({
  name: 'changes-delay',
  title: `From the 200 of a push to the line of ${String(listeners)} readers of a feed, p99`,
  goal: 500,
  unit: 'ms',
  measure: async (environment) => {
    const { hub } = environment
    const arrived = new Map<string, number[]>()
    const token = await hub.token('demo-provider')
    const readers = Array.from({ length: listeners }, () =>
      begin(hub, 'offset=now&live=sse', (text) => {
        for (const [, id = ''] of text.matchAll(/"key":"(delay-[^"]*)"/g)) {
          arrived.set(id, [...(arrived.get(id) ?? []), performance.now()])
        }
      }),
    )
    await Promise.all(readers.map((reader) => once(reader, 'response')))
    const values: number[] = []
    const all: number[] = []
    for (let round = -1; round < rounds; round++) {
      const delays: number[] = []
      for (let number = 0; number < pushesOfRound; number++) {
        const id = `delay-${String(round)}-${String(number)}`
        const acknowledged = await push(hub, token, id)
        while ((arrived.get(id)?.length ?? 0) < listeners) await pause(5)
        delays.push(...(arrived.get(id) ?? []).map((time) => Math.max(0, time - acknowledged)))
      }
      if (round < 0) continue
      values.push(quantile(delays, 0.99))
      all.push(...delays)
    }
    for (const reader of readers) reader.destroy()
    return { values, detail: `p50 ${quantile(all, 0.5).toFixed(0)} ms; each push awaited` }
  },
})

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN
}

/** @returns the time of the acknowledgement */
async function push(hub: HubProcess, token: string, id: string): Promise<number> {
  const response = await fetch(`${hub.url}/push/demo/delay`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'content', entity: 'Event', items: [eventOf(id)] }),
  })
  const acknowledged = performance.now()
  if (response.status !== 200) throw new Error(`A push is answered ${response.status}.`)
  await response.arrayBuffer()
  return acknowledged
}

/** Creates a record of 1 KB. */
function eventOf(id: string) {
  return {
    Id: id,
    Shortname: `Event ${id}`,
    Active: true,
    Detail: {
      en: { Language: 'en', Title: id, BaseText: `Words about the event ${id}. `.repeat(25) },
    },
    LicenseInfo: { License: 'CC0', ClosedData: false },
    _Meta: { Source: 'bench' },
  }
}

const changes = Math.min(100_000, records)
const perMessage = 500

function* messages(count: number, prefix: string) {
  for (let first = 0; first < count; first += perMessage) {
    const items = Array.from({ length: perMessage }, (_, index) =>
      eventOf(`${prefix}-${String(first + index)}`),
    )
    yield { kind: 'content', entity: 'Event', items }
  }
}

/** Throughput for a reader who missed that many changes. */
export const changesCatchUp = comparison({
  name: 'changes-catch-up',
  title: `${changes.toLocaleString('en')} changes of records of 1 KB, read ÷ COPY of the records`,
  goal: 0.4,
  unit: 'rows/s',
  prepare: async (environment) => {
    await environment.store.database.execute(sql`truncate content.event`)
    const offset = await offsetOf(environment.hub)
    await storeObjects(environment.store, messages(changes, 'caught'))
    await environment.store.database.execute(sql`vacuum analyze content.event, change`)
    return { environment, offset }
  },
  ours: async ({ environment: { hub }, offset }) => {
    const read = { rows: 0 }
    const seconds = await secondsOf(async () => {
      for (let from = offset; ;) {
        const { headers, lines } = await readPage(hub, from)
        read.rows += lines
        if (headers['stream-up-to-date'] === 'true') return
        from = String(headers['stream-next-offset'])
      }
    })
    if (read.rows !== changes) throw new Error(`${String(read.rows)} changes were read.`)
    return changes / seconds
  },
  limit: async ({ environment: { postgresql } }) =>
    changes / (await secondsToCopy(postgresql, 'select id, data from content.event')),
})

/**
 * Reads one page and counts its lines as bytes: decoding it to text would cost as much as the page
 * itself, on the same cores.
 */
async function readPage(hub: HubProcess, from: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${hub.url}${feed}?offset=${from}`, { agent: following }, resolve).on('error', reject)
  })
  let lines = 1
  response.on('data', (part: Buffer) => {
    for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10, end + 1)) lines += 1
  })
  await once(response, 'end')
  return { headers: response.headers, lines }
}

const written = 5000

/**
 * The same writes, recorded with who can see them, and recorded by ids alone, as dataset versions
 * need it.
 */
export const changesWriters = comparison({
  name: 'changes-writers',
  title: 'Stored records of 1 KB: noted for the change feed ÷ noted for versions alone',
  goal: 0.95,
  unit: 'records/s',
  prepare: async (environment) => {
    await environment.store.database.execute(sql`
      create function note_identifiers() returns trigger language plpgsql as $$
      begin
        insert into change (area, dataset, id, kind) select 'content', tg_argv[0], id, 'upsert' from added;
        return null;
      end
      $$`)
    return environment
  },
  ours: (environment) => rateOfWrites(environment),
  limit: async (environment) => {
    const { database } = environment.store
    await database.execute(sql`alter table content.event disable trigger note_inserted`)
    await database.execute(sql`
      create trigger note_identifiers after insert on content.event referencing new table as added
      for each statement execute function note_identifiers('Event')`)
    try {
      return await rateOfWrites(environment)
    } finally {
      await database.execute(sql`drop trigger note_identifiers on content.event`)
      await database.execute(sql`alter table content.event enable trigger note_inserted`)
    }
  },
})

async function rateOfWrites({ store }: Environment): Promise<number> {
  await store.database.execute(sql`truncate content.event`)
  await store.database.execute(sql`checkpoint`)
  return written / (await secondsOf(() => storeObjects(store, messages(written, 'written'))))
}

/** Returns the growth of a hub's resident memory while that many readers wait. */
async function growthWith(
  environment: Environment,
  { readers, live }: { readonly readers: number; readonly live: string },
): Promise<number> {
  const hub = await environment.startHub({ HUB_CHANGE_READERS: String(4 * readers) })
  try {
    const offset = await offsetOf(hub)
    const wait = async (count: number) => {
      const waiting = Array.from({ length: count }, () =>
        begin(hub, `offset=${offset}&live=${live}`),
      )
      await pause(4000)
      return waiting
    }
    // The first readers load code and caches that stay in memory.
    for (const reader of await wait(100)) reader.destroy()
    await pause(1000)
    const before = await residentMegabytes(hub)
    const waiting = await wait(readers)
    const growth = (await residentMegabytes(hub)) - before
    for (const reader of waiting) reader.destroy()
    environment.log(`${String(readers)} × ${live}: ${growth.toFixed(0)} MB`)
    return Math.max(0, growth)
  } finally {
    await stopHub(hub)
  }
}

const growths = async (environment: Environment, waiting: { readers: number; live: string }) => {
  const values: number[] = []
  for (let run = 0; run < 3; run++) values.push(await growthWith(environment, waiting))
  return { values, detail: `${String(values.length)} hubs` }
}

const idle = 1000
export const changesIdle = ceiling({
  name: 'changes-idle',
  title: `Growth of resident memory by ${idle.toLocaleString('en')} requests that wait for changes`,
  goal: 50,
  unit: 'MB',
  measure: (environment) => growths(environment, { readers: idle, live: 'long-poll' }),
})

const streams = 500
export const changesStreams = ceiling({
  name: 'changes-streams',
  title: `Growth of resident memory by ${String(streams)} readers of events`,
  goal: 50,
  unit: 'MB',
  measure: (environment) => growths(environment, { readers: streams, live: 'sse' }),
})
