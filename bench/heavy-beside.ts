import { highestId, loadAccommodations, lowestId } from './fixtures/accommodations.ts'
import { loadNearStations } from './fixtures/near-stations.ts'
import { comparison } from './harness/bench.ts'

const reads = 1000
const heavyAtOnce = 10
const heavy = '/v1/Accommodation?near=*;within=5000&pagenumber='

/** The 99th percentile of single-record response times while requests that take seconds run. */
export const heavyBeside = comparison({
  name: 'heavy-beside',
  title: `p99 of a single record alone ÷ beside ${String(heavyAtOnce)} lists near every station, 5 km`,
  goal: 0.2,
  unit: 'reads/s at p99',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    await loadNearStations(environment)
    return environment.hub
  },
  ours: async (hub) => {
    const over = new AbortController()
    const all = Array.from({ length: heavyAtOnce }, (_, place) =>
      askOn(hub.url, place, over.signal),
    )
    try {
      return await rateOfSlowest(hub.url)
    } finally {
      over.abort()
      await Promise.all(all)
    }
  },
  limit: (hub) => rateOfSlowest(hub.url),
})

/**
 * Requests one page after the other, so that no response comes from a cache. A request that takes
 * too long gets a 503.
 */
async function askOn(url: string, place: number, over: AbortSignal): Promise<void> {
  for (let page = 1 + place; !over.aborted; page += heavyAtOnce) {
    const response = await fetch(`${url}${heavy}${String(page)}`)
    await response.arrayBuffer()
    if (![200, 503].includes(response.status)) {
      throw new Error(`A heavy request is answered ${response.status}.`)
    }
  }
}

/** Returns how many requests a second would hold if each took as long as the p99. */
async function rateOfSlowest(url: string): Promise<number> {
  const times: number[] = []
  for (let read = 0; read < reads; read++) {
    const id = lowestId + ((read * 7919) % (highestId - lowestId))
    const started = performance.now()
    const response = await fetch(`${url}/v1/Accommodation/${String(id)}`)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`A read is answered ${response.status}.`)
    times.push(performance.now() - started)
  }
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(reads * 0.99)] ?? Infinity
  return 1000 / slowest
}
