import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePrincipal, requireRole } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { checkedBody, readJsonBodies } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import {
  attachPartition,
  monthPattern,
  planRetirement,
  retireBy,
  retirements,
} from '../timeseries/index.ts'
import type { Month, Operator, Policy } from '../timeseries/index.ts'
import { exactly, problem } from '../lang/schemas.ts'

const month = (description: string) =>
  Type.String({
    maxLength: 7,
    pattern: monthPattern,
    examples: ['2025-01'],
    description,
  })

const how = Type.Enum([...retirements], {
  description:
    'detach leaves the tables in place, move moves them to measurement_archive, drop deletes them, parquet moves the values to files that can still be read',
})

const retireBody = exactly(
  {
    before: month('Months before this one are retired'),
    how: Type.Optional(how),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only list what would be retired' })),
  },
  { examples: [{ before: '2025-01', how: 'detach', dryRun: true }] },
)

const common = { tags: ['Operation'], security: [{ bearer: [] }] }
const refusals = { 400: problem, 401: problem, 403: problem, 409: problem, 503: problem }

const retireOperation = {
  operationId: 'retirePartitions',
  summary: 'Remove months of measurements from all responses, or from the database',
  description:
    'For the role ADMIN. Without how, HUB_MEASUREMENT_RETIREMENT applies. Reads and writes continue meanwhile. waiting: earlier reads use this month, or another one is retired first; busy: something else, such as a vacuum, uses the tables. Repeat the request later.',
  ...{ ...common, body: retireBody },
  response: {
    200: Type.Object({
      months: Type.Array(
        Type.Object({
          name: Type.String({ description: 'The table, such as measurement_2024_05' }),
          outcome: Type.Enum([...retirements, 'waiting', 'busy']),
        }),
      ),
    }),
    ...{ ...refusals, 413: problem, 415: problem },
  },
}

const attachOperation = {
  operationId: 'attachPartition',
  summary: 'Attach a detached, moved or cold month of measurements again',
  description:
    'For the role ADMIN. Reads and writes continue meanwhile. GET /operation lists the months.',
  ...common,
  params: Type.Object({ month: month('The month') }),
  response: {
    200: Type.Object({ month: Type.String(), state: Type.Literal('attached') }),
    ...{ ...refusals, 404: problem },
  },
}

export type PartitionDeps = {
  readonly database: Database
  /** Returns what the settings currently do with old months. */
  readonly policy: () => Policy
  readonly now: () => Date
}

/**
 * Routes under `/operation/partitions`: the functions of `hub timeseries partitions` for months of
 * measurements, for the role ADMIN.
 */
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

/** Requires the role ADMIN, before the body is read. */
function demandOperator(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  requireRole(request.principal, 'ADMIN')
  done()
}

/**
 * Rejects retiring the current month or later ones, for which values still arrive. @throws AppError
 * HUB-OPR-001
 */
function assertOver(before: Month, now: Date): void {
  const current = now.toISOString().slice(0, 7)
  if (before <= current) return
  throw new AppError('HUB-OPR-001', `Only months before ${current} can be retired.`)
}

function byOf(request: FastifyRequest): Operator {
  const { subject, name, client } = requirePrincipal(request.principal)
  return { subject, name, client, request: request.id }
}
