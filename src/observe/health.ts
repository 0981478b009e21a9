import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { AppError } from '../errors/index.ts'
import type { Database } from '../storage/index.ts'

type Deps = {
  readonly database: Database
  /** What an acknowledged message survives on this database (decision D51). */
  readonly durability: string
  /** Names of migrations that the database still lacks. */
  readonly pendingMigrations: () => Promise<readonly string[]>
}

const problem = Type.Ref('ProblemDetails')

const healthOperation = {
  operationId: 'getHealth',
  summary: 'Whether the hub and its database answer',
  tags: ['Operation'],
  response: {
    200: Type.Object({
      status: Type.Literal('ok'),
      database: Type.Object({ engine: Type.String(), durability: Type.String() }),
    }),
    503: problem,
  },
}

const readyOperation = {
  operationId: 'getReady',
  summary: 'Whether the hub can take requests: database reachable and migrated',
  tags: ['Operation'],
  response: { 200: Type.Object({ status: Type.Literal('ready') }), 503: problem },
}

/** Health for people and monitors, readiness for load balancers; both look at the database. */
export const healthRoutes =
  ({ database, durability, pendingMigrations }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/health', { schema: healthOperation }, async (_request, reply) => {
      await database.ping()
      void reply.header('cache-control', 'no-store')
      return { status: 'ok' as const, database: { engine: database.engine, durability } }
    })
    app.get('/ready', { schema: readyOperation }, async (_request, reply) => {
      const pending = await pendingMigrations()
      if (pending.length > 0) {
        throw new AppError('HUB-SRV-004', `The database lacks: ${pending.join(', ')}.`, {
          headers: { 'retry-after': '5' },
        })
      }
      void reply.header('cache-control', 'no-store')
      return { status: 'ready' as const }
    })
    return Promise.resolve()
  }
