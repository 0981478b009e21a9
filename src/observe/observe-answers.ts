import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { observeRequests } from './metrics.ts'
import { logRequests } from './request-log.ts'
import type { ShownAddress } from './request-log.ts'

/** Logs, counts and times every answer. */
export function observeAnswers(
  app: FastifyInstance,
  registry: Registry,
  shown: ShownAddress,
): void {
  logRequests(app, shown)
  observeRequests(app, registry)
}
