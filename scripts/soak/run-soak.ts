import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytes } from '../../bench/harness/resident-megabytes.ts'
import { makeFaults } from './faults.ts'
import { growth } from './judge.ts'
import { measureCapacity, readSlowly, sendPushes, sendReads } from './load.ts'
import type { Soak } from './open-soak.ts'
import type { Seen } from './report.ts'
import { startData, toPush } from './work.ts'

type Length = { readonly minutes: number; readonly every: number }

const pushers = 4
const slowReaders = 4
const capacitySeconds = 8
const load = 0.7

/** Fills the hub, measures what it can do, and then requests 70 % of that for so many minutes. */
export async function runSoak(soak: Soak, { minutes, every }: Length): Promise<Seen> {
  const { client, token, log, cluster, revoke, tally } = soak
  for (const message of startData(soak.now())) await client.send(toPush(message, token()))
  await untilThere(soak, '/v1/Accommodation/H999')
  await untilThere(soak, '/traffic/v1/situation-publication/soak')
  await measureCapacity(soak, 3)
  const capacity = await measureCapacity(soak, capacitySeconds)
  log(`The hub answers ${capacity.toFixed(0)} reads a second.`)
  const stop = new AbortController()
  const acknowledged: string[] = []
  const answers = () => isThere(soak, '/v1/Accommodation/H1')
  const pushing = Array.from({ length: pushers }, (_, at) =>
    sendPushes(soak, { name: String(at), acknowledged }, stop.signal),
  )
  const reading = Array.from({ length: slowReaders }, () => readSlowly(soak, stop.signal))
  const running = Promise.all([
    makeFaults({ cluster, answers, revoke, log }, every, stop.signal),
    sampleMemory(soak, stop.signal),
    sendReads(soak, capacity * load, stop.signal),
    ...pushing,
    ...reading,
  ])
  await Promise.race([pause(minutes * 60_000), running])
  stop.abort()
  const [faults, samples] = await running
  const lost = await missing(soak, acknowledged)
  const memory = growth(samples)
  const asked = capacity * load
  return {
    tally,
    capacity,
    asked,
    minutes,
    memory,
    faults,
    acknowledged: acknowledged.length,
    lost,
  }
}

async function sampleMemory({ hub }: Soak, stop: AbortSignal): Promise<readonly number[]> {
  const samples: number[] = []
  while (!stop.aborted) {
    samples.push(await residentMegabytes(hub))
    await pause(1000)
  }
  return samples
}

async function untilThere(soak: Soak, path: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isThere(soak, path)) return
    await pause(100)
  }
  throw new Error(`${path} did not come.`)
}

async function isThere({ hub }: Soak, path: string): Promise<boolean> {
  const { ok } = await fetch(`${hub.url}${path}`).catch(() => ({ ok: false }))
  return ok
}

/** Records that were acknowledged and cannot be read, some time after the last push. */
async function missing(soak: Soak, ids: readonly string[]): Promise<readonly string[]> {
  let left = [...ids]
  for (let tries = 0; tries < 30 && left.length > 0; tries++) {
    const there: boolean[] = []
    for (const id of left) there.push(await isThere(soak, `/v1/Event/${id}`))
    left = left.filter((_, at) => there[at] === false)
    if (left.length > 0) await pause(1000)
  }
  return left
}
