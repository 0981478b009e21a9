import { LogController, fastify } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify'
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import type { Authenticate } from './access/index.ts'
import {
  allowCrossOrigin,
  answerUnparsed,
  answerUnreadable,
  answerUnrouted,
  compressAnswers,
  describeOnly,
  describeRoutes,
  errorHandler,
  explainErrors,
  identifyCallers,
  readQueries,
  setSecurityHeaders,
  toProblem,
} from './http/index.ts'
import { logRequests, observeRequests } from './observe/index.ts'

export type AppDeps = {
  readonly log: FastifyBaseLogger
  readonly publicUrl: string
  readonly version: string
  readonly trustedProxies: readonly string[]
  readonly now: () => Date
  readonly authenticate: Authenticate
  /** What services count, shown at `/metrics` beside what is counted of every answer. */
  readonly metrics?: Registry
  /** The services that this process offers, in the order of their registration. */
  readonly services: readonly FastifyPluginAsync[]
}

/** The HTTP face of the hub: what every answer has in common, then the services. No I/O. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.log,
    // One line per request is written by logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: [...deps.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 5000 },
    forceCloseConnections: 'idle',
    frameworkErrors: answerUnreadable(deps),
    clientErrorHandler: answerUnparsed(deps),
  })
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  app.setErrorHandler(errorHandler(toProblem, deps))
  answerUnrouted(app)
  describeOnly(app)
  setSecurityHeaders(app)
  // Services read the bodies they take; an address that takes none is 404 or 405 whatever is sent.
  app.removeAllContentTypeParsers()
  await allowCrossOrigin(app)
  await compressAnswers(app)
  identifyCallers(app, deps.authenticate)
  logRequests(app)
  const registry = deps.metrics ?? new Registry()
  observeRequests(app, registry)
  readQueries(app)
  await describeRoutes(app, deps)
  explainErrors(app)
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  for (const service of deps.services) await app.register(service)
  return app
}
