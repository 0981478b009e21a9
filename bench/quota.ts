import { stopHub } from '../test/fixtures/hub-process.ts'
import { startRedis } from '../test/fixtures/redis-server.ts'
import { highestId, loadAccommodations, lowestId } from './fixtures/accommodations.ts'
import { comparison } from './harness/bench.ts'
import type { Bench, Result } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { httpLoad } from './harness/http-load.ts'

type Settings = Readonly<Record<string, string>>

/** Compares single-record requests to a hub that counts requests and one that does not. */
async function measure(
  environment: Environment,
  { name, title, goal }: { readonly name: string; readonly title: string; readonly goal: number },
  settings: Settings = {},
): Promise<Result> {
  await loadAccommodations(environment)
  const counting = await environment.startHub({
    // All requests of a bench come from one IP address.
    ...{ HUB_QUOTA: 'on', HUB_QUOTA_PER_ADDRESS: '1000000' },
    ...settings,
  })
  const path = '/v1/Accommodation/'
  const load = (url: string) => () => httpLoad({ url, path, low: lowestId, high: highestId })
  const pairs = comparison({
    ...{ name, title, goal, unit: 'records/s' },
    prepare: () => Promise.resolve(undefined),
    ours: load(counting.url),
    limit: load(environment.hub.url),
  })
  try {
    return await pairs.run(environment)
  } finally {
    await stopHub(counting)
  }
}

const inMemory = {
  name: 'quota-memory',
  title: 'Single record with quotas, counted in memory ÷ without quotas',
  goal: 0.95,
}

const inRedis = {
  name: 'quota-redis',
  title: 'Single record with quotas, counted in Redis on the same machine ÷ without quotas',
  goal: 0.75,
}

export const quotas: readonly Bench[] = [
  { name: inMemory.name, run: (environment) => measure(environment, inMemory) },
  {
    name: inRedis.name,
    run: async (environment) => {
      const redis = await startRedis()
      try {
        return await measure(environment, inRedis, { HUB_REDIS_URL: redis.url })
      } finally {
        await redis.stop()
      }
    },
  },
]
