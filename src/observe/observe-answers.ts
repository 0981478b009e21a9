import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { observeRequests } from './metrics.ts'
import { logRequests } from './request-log.ts'
import type { ShownAddress } from './request-log.ts'

type Observed = Parameters<ReturnType<typeof observeRequests>>[0] &
  Parameters<ReturnType<typeof logRequests>>[0]

/**
 * Logs, counts and times every answer.
 * @returns what does so for answers for which no hook runs
 */
export function observeAnswers(app: FastifyInstance, registry: Registry, shown: ShownAddress) {
  const log = logRequests(app, shown)
  const count = observeRequests(app, registry)
  return (answered: Observed): void => {
    log(answered)
    count(answered)
  }
}
