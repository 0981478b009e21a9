import { setTimeout as pause } from 'node:timers/promises'
import { stopHub } from '../test/fixtures/hub-process.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { everything } from './fixtures/accommodation-lists.ts'
import { startSlowReader } from './fixtures/slow-reader.ts'
import { ceiling } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { residentMegabytes } from './harness/resident-megabytes.ts'

/**
 * Seconds after which one-time compilation is done and V8 has used its whole young generation once.
 */
const warmUp = 40
const minute = 60

/**
 * How far resident memory deviates from its start while all records are streamed to a slow client.
 */
export const contentStream = ceiling({
  name: 'content-stream',
  title: 'Change of resident memory in 60 s of a stream of all records, read at 1 MB/s',
  goal: 30,
  unit: 'MB',
  measure: async (environment) => {
    await loadAccommodations(environment)
    const { sizes, megabytes } = await stream(environment)
    const [start = 0, ...later] = sizes
    const furthest = Math.max(...later.map((size) => Math.abs(size - start)))
    const range = `${Math.min(...sizes).toFixed(0)} to ${Math.max(...sizes).toFixed(0)} MB`
    return { values: [furthest], detail: `${range}; ${megabytes.toFixed(0)} MB were read` }
  },
})

async function stream({ startHub }: Environment) {
  const hub = await startHub()
  try {
    const reader = await startSlowReader(hub.url, everything)
    await pause(warmUp * 1000)
    const before = reader.bytes()
    const sizes = [await residentMegabytes(hub)]
    for (let second = 0; second < minute; second++) {
      await pause(1000)
      sizes.push(await residentMegabytes(hub))
    }
    const megabytes = (reader.bytes() - before) / 1e6
    reader.stop()
    return { sizes, megabytes }
  } finally {
    await stopHub(hub)
  }
}
