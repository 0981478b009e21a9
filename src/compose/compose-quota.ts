import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../config/index.ts'
import type { Problem } from '../observe/index.ts'
import { openCounters, planOf, quotaRoutes } from '../quota/index.ts'
import type { Counters } from '../quota/index.ts'
import type { TimeseriesDeps } from '../timeseries/index.ts'
import type { Surroundings } from './surroundings.ts'

/** The quotas of a hub; with `HUB_QUOTA=off` nothing is counted or limited. */
export type Quota = {
  readonly limits: {
    readonly quota: Counters | undefined
    readonly quotaPerAddress: number
  }
  readonly historyLimitOf: TimeseriesDeps['historyLimitOf']
  readonly routes: FastifyPluginAsync
  /** What is wrong with it at the moment. */
  readonly problems: () => readonly Problem[]
  readonly stop: () => void
}

export async function composeQuota(config: Config, { every, log }: Surroundings): Promise<Quota> {
  const quotaPerAddress = config.HUB_QUOTA_PER_ADDRESS
  if (config.HUB_QUOTA === 'off') {
    log.warn('Request quotas are off (HUB_QUOTA=off).')
    return {
      limits: { quota: undefined, quotaPerAddress },
      historyLimitOf: undefined,
      routes: quotaRoutes({}),
      problems: () => [],
      stop: () => undefined,
    }
  }
  const opened = await openCounters({ redisUrl: config.HUB_REDIS_URL, every, log })
  return {
    limits: { quota: opened.counters, quotaPerAddress },
    historyLimitOf,
    routes: quotaRoutes(opened),
    problems: () => (opened.isWhole() ? [] : [notShared]),
    stop: opened.close,
  }
}

const notShared = {
  component: 'quota',
  detail: 'Redis does not answer, so each node counts requests for itself.',
}

const historyLimitOf: NonNullable<Quota['historyLimitOf']> = (caller) => {
  const { name, historyDays } = planOf(caller)
  return { policy: name, days: historyDays }
}
