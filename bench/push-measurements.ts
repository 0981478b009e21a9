import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { sql } from '../src/sql/index.ts'
import { copyOut, copyIn } from './harness/copy.ts'
import type { Copied } from './harness/copy.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { processorSeconds } from './harness/processor-seconds.ts'
import {
  itemsPerMessage,
  loadStations,
  measurementMessages,
  rows,
} from './fixtures/measurements.ts'

/** Throughput of measurements, from the first request until the last message is visible. */
export const pushMeasurements = comparison({
  name: 'push-measurements',
  title: 'Pushed measurements ÷ COPY into the same table',
  goal: 0.15,
  unit: 'rows/s',
  prepare: async (environment) => {
    const pusher = await preparePusher(environment)
    await rateOf(pusher)
    return { ...pusher, copied: await copyOut(environment.postgresql, 'measurement') }
  },
  ours: rateOf,
  limit: ({ environment, copied }) => copyRate(environment, copied),
})

export async function copyRate(environment: Environment, copied: Copied): Promise<number> {
  await empty(environment)
  const milliseconds = await copyIn(environment.postgresql, copied)
  await assertAllThere(environment)
  return (rows / milliseconds) * 1000
}

const wanted = 50_000

/** The same messages compared with a required rate, whatever the database can do. */
export const pushRate = comparison({
  name: 'push-rate',
  title: 'Pushed measurements, from accept to visible ÷ 50,000 a second',
  goal: 1,
  unit: 'rows/s',
  prepare: preparePusher,
  ours: rateAndProfile,
  limit: () => Promise.resolve(wanted),
})

/** Measures the rate and logs who used the cores, which limits the rate if both are busy. */
async function rateAndProfile(pusher: Pusher): Promise<number> {
  const { hub, postgresql, log } = pusher.environment
  const before = await processorSeconds(hub, postgresql)
  const rate = await rateOf(pusher)
  const after = await processorSeconds(hub, postgresql)
  const used = (part: keyof typeof after) => `${(after[part] - before[part]).toFixed(2)} s`
  log(
    `push-rate: cores were used by PostgreSQL for ${used('database')}, by the thread of pushed ` +
      `messages and garbage collection for ${used('threads')}, by the one that answers for ${used('answers')}`,
  )
  return rate
}

type Pusher = {
  readonly environment: Environment
  readonly messages: readonly Buffer[]
  readonly token: string
}

export async function preparePusher(environment: Environment): Promise<Pusher> {
  await loadStations(environment.store)
  const token = await environment.hub.token('demo-provider')
  return { environment, messages: measurementMessages(), token }
}

export async function rateOf(pusher: Pusher): Promise<number> {
  await empty(pusher.environment)
  const milliseconds = await push(pusher)
  await assertAllThere(pusher.environment)
  return (rows / milliseconds) * 1000
}

const stream = '/push/demo/bench'
const accepted = Type.Object({ id: Type.String() })
const receipt = Type.Object({
  state: Type.String(),
  stored: Type.Integer(),
  rejected: Type.Array(Type.Unknown()),
})

/**
 * Sends the messages one after the other, as a provider does, and waits until the last one is
 * visible.
 */
async function push({ environment: { hub }, messages, token }: Pusher): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const started = performance.now()
  const ids: string[] = []
  for (const body of messages) {
    const response = await fetch(`${hub.url}${stream}`, { method: 'POST', body, headers })
    ids.push(Parse(accepted, await response.json()).id)
  }
  for (const id of ids) await untilVisible(`${hub.url}${stream}/${id}`, headers)
  return performance.now() - started
}

async function untilVisible(address: string, headers: Readonly<Record<string, string>>) {
  for (;;) {
    const { state, stored, rejected } = Parse(
      receipt,
      await (await fetch(address, { headers })).json(),
    )
    if (state === 'visible' && stored === itemsPerMessage && rejected.length === 0) return
    if (state !== 'accepted' && state !== 'processing') {
      throw new Error(
        `A message became ${state} with ${stored} items stored: ${JSON.stringify(rejected)}`,
      )
    }
    await pause(10)
  }
}

/**
 * Empties the tables that both sides write to and keeps the series, as in reality. Messages in
 * progress are finished first.
 */
async function empty({ store }: Environment): Promise<void> {
  await store.database.execute(sql`delete from message where state <> 'processing'`)
  while ((await store.database.query(sql`select 1 from message limit 1`)).length > 0) {
    await pause(100)
    await store.database.execute(sql`delete from message where state <> 'processing'`)
  }
  await store.database.execute(sql`truncate measurement, latest, message`)
  await store.database.execute(sql`checkpoint`)
}

async function assertAllThere({ store }: Environment): Promise<void> {
  const [row] = await store.database.query<{ count: string }>(
    sql`select count(*) as count from measurement`,
  )
  if (Number(row?.count) !== rows)
    throw new Error(`${String(row?.count)} of ${rows} rows are there.`)
}
