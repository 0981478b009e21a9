import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requirePrincipal, requireRole } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { checkedBody, readJsonBodies } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { attachPartition, planRetirement, retireBy } from '../timeseries/index.ts'
import type { Month, Operator, Policy } from '../timeseries/index.ts'
import { attachOperation, retireBody, retireOperation } from './partition-schemas.ts'

export type PartitionDeps = {
  readonly database: Database
  /** What the settings do with old months now. */
  readonly policy: () => Policy
  readonly now: () => Date
}

/** `/operation/partitions`: what `hub timeseries partitions` does with months of measurements, for the role ADMIN. */
export const partitionRoutes =
  ({ database, policy, now }: PartitionDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    readJsonBodies(app)
    const guarded = { onRequest: demandOperator, bodyLimit: 4096 }
    const retiring = { schema: retireOperation, ...guarded }
    app.post('/operation/partitions/retire', retiring, async (request, reply) => {
      const { before, how, dryRun } = checkedBody(retireBody, request.body, hint)
      assertOver(before, now())
      const usual = policy()
      const wished = { ...usual, firstKept: before, retirement: how ?? usual.retirement }
      void reply.header('cache-control', 'no-store')
      if (dryRun !== true) return { months: [...(await retireBy(database, wished, byOf(request)))] }
      const planned = await planRetirement(database, wished)
      return { months: planned.map(({ name }) => ({ name, outcome: wished.retirement })) }
    })
    const attaching = { schema: attachOperation, ...guarded }
    app.post('/operation/partitions/:month/attach', attaching, async (request, reply) => {
      const { month } = request.params
      await attachPartition(database, month, { ...policy(), by: byOf(request) })
      void reply.header('cache-control', 'no-store')
      return { month, state: 'attached' as const }
    })
    return Promise.resolve()
  }

const hint = 'It is an object with before, a month such as 2025-01, and optionally how and dryRun.'

/** Before the body is read. */
function demandOperator(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  requireRole(request.principal, 'ADMIN')
  done()
}

/** Values arrive for the current month and later ones. */
function assertOver(before: Month, now: Date): void {
  const current = now.toISOString().slice(0, 7)
  if (before <= current) return
  throw new AppError('HUB-OPR-001', `Only months before ${current} can be retired.`)
}

function byOf(request: FastifyRequest): Operator {
  const { subject, name, client } = requirePrincipal(request.principal)
  return { subject, name, client, request: request.id }
}
