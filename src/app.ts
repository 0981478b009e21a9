import { LogController, fastify } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Socket } from 'node:net'
import type { Registry } from 'prom-client'
import {
  allowCrossOrigin,
  answerUnparsed,
  answerUnreadable,
  answerUnrouted,
  trustProxyHeaders,
  compressAnswers,
  createAnswerMemory,
  describeOnly,
  drainBodies,
  describeRoutes,
  errorHandler,
  explainErrors,
  identifyCallers,
  loggedAddress,
  newRequestId,
  readQueries,
  refuseUnmet,
  setCommonHeaders,
  tagReads,
} from './http/index.ts'
import type { AddressDetail, AnswerBrowser, Authenticate } from './http/index.ts'
import { observeAnswers, openRegistry, serveMetrics, showUses } from './observe/index.ts'
import type { AnswerClock, MetricsAccess, Tracing } from './observe/index.ts'
import { countRequests, describeQuota } from './quota/index.ts'
import type { Counters } from './quota/index.ts'

export type AppDeps = {
  readonly log: FastifyBaseLogger
  readonly publicUrl: string
  readonly version: string
  readonly trustedProxies: readonly string[]
  /** The header in which trusted proxies report the client; `x-forwarded-for` by default. */
  readonly proxyHeader?: 'forwarded' | 'x-forwarded-for'
  readonly now: () => Date
  readonly authenticate: Authenticate
  /** How much of client addresses is logged; `shortened` by default. */
  readonly logAddresses?: AddressDetail
  /** Metrics of the services, served at `/metrics` in addition to those of every response. */
  readonly metrics?: Registry
  /** Who may read the metrics; everybody by default. */
  readonly metricsAccess?: MetricsAccess
  /** Traces requests; without it tracing is off. */
  readonly tracing?: Pick<Tracing, 'traceRequests'> | undefined
  /** Counts who reads what; without it nothing is counted. */
  readonly use?: { readonly watch: (app: FastifyInstance) => void } | undefined
  /** Reports to callers where the time of a response went; without it nothing is reported. */
  readonly clock?: AnswerClock | undefined
  /** Limits on what clients may use of the server; by default those of Fastify. */
  readonly limits?: ServerLimits
  /** Bytes of the cache of responses; without it nothing is cached. */
  readonly answerMemory?: number
  /** Counts requests, so that no caller sends too many; without it nothing is counted. */
  readonly quota?: Counters | undefined
  /**
   * Limit on the requests in a second from one address (`HUB_QUOTA_PER_ADDRESS`); by default none.
   */
  readonly quotaPerAddress?: number
  /**
   * Responds to browsers that open the page of an error; without it all clients get a plain page.
   */
  readonly answerBrowser?: AnswerBrowser | undefined
  /** The services of this process, in the order of their registration. */
  readonly services: readonly FastifyPluginAsync[]
}

/**
 * Creates the HTTP application of the hub: what all responses have in common, then the services. No
 * I/O.
 */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.log,
    // `logRequests` writes one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    trustProxy: [...deps.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 5000 },
    forceCloseConnections: 'idle',
    // Requests over open connections are still answered while closing, then the connection is
    // closed.
    return503OnClosing: false,
    frameworkErrors: answerUnreadable(deps),
    clientErrorHandler: answerUnparsed(deps),
    ...toServerOptions(deps.limits),
  })
  setCommonHeaders(app)
  if (deps.limits !== undefined) app.server.maxConnections = deps.limits.maxConnections
  dropSilentConnections(app)
  drainBodies(app)
  if (deps.proxyHeader === 'forwarded') trustProxyHeaders(app)
  app.decorate('errorFormats', new Map())
  app.setErrorHandler(errorHandler(undefined, deps))
  answerUnrouted(app, deps.answerBrowser)
  describeOnly(app)
  deps.clock?.report(app)
  deps.tracing?.traceRequests(app)
  // Services parse the bodies they accept; any other path is 404 or 405, whatever the body.
  app.removeAllContentTypeParsers()
  await allowCrossOrigin(app)
  const registry = deps.metrics ?? openRegistry()
  await packAndKeepAnswers(app, deps, registry)
  identifyCallers(app, deps.authenticate)
  deps.use?.watch(app)
  observeAnswers(app, registry, loggedAddress(deps.logAddresses ?? 'shortened'))
  limitRequests(app, deps, registry)
  refuseUnmet(app)
  readQueries(app)
  await describeRoutes(app, deps.quota === undefined ? deps : { ...deps, complete: describeQuota })
  explainErrors(app, deps.answerBrowser)
  serveMetrics(app, registry, deps.metricsAccess ?? { kind: 'on' })
  for (const service of deps.services) await app.register(service)
  return app
}

/**
 * Closes connections that would delay closing the server: those that have sent nothing, which
 * browsers open in advance, and those that are kept alive after the response to a request in
 * progress.
 */
function dropSilentConnections(app: FastifyInstance): void {
  const connected = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connected.add(socket)
    socket.once('close', () => connected.delete(socket))
  })
  app.addHook('preClose', (done) => {
    for (const socket of connected) if (socket.bytesRead === 0) socket.destroy()
    const sweep = setInterval(() => {
      app.server.closeIdleConnections()
    }, 100)
    app.server.once('close', () => {
      clearInterval(sweep)
    })
    done()
  })
}

async function packAndKeepAnswers(
  app: FastifyInstance,
  { answerMemory = 0 }: AppDeps,
  registry: Registry,
): Promise<void> {
  tagReads(app)
  await compressAnswers(app)
  if (answerMemory === 0) return
  const memory = createAnswerMemory(answerMemory)
  app.decorate('answerMemory', memory)
  showUses(registry, memory.uses)
}

function limitRequests(app: FastifyInstance, deps: AppDeps, metrics: Registry): void {
  const { quota: counters, quotaPerAddress: perAddress = Infinity } = deps
  if (counters !== undefined) countRequests(app, { counters, metrics, perAddress })
}

/**
 * Limits on what one client, or all of them together, may use of the server. Times in milliseconds.
 */
type ServerLimits = {
  /** Time for the headers of a request to arrive, from its first byte or the connection. */
  readonly headersTimeout: number
  /** Time for a complete request to arrive, with its body. */
  readonly requestTimeout: number
  /** Concurrent connections; further ones are closed at once. */
  readonly maxConnections: number
}

/** Milliseconds between two checks of the connections for slow requests. */
const interval = 1000

/** Limit in bytes for URL and headers together; documented with HUB-RTE-004. */
const headerBytes = 16_384

/**
 * Returns the options of Fastify for these limits. A client that sends too slowly gets 408 and is
 * disconnected (HUB-RTE-006), on any path. `refuseUnmet` checks `Host`.
 */
function toServerOptions(limits: ServerLimits | undefined) {
  const http = { requireHostHeader: false }
  if (limits === undefined) return { http }
  const { headersTimeout, requestTimeout } = limits
  return {
    requestTimeout,
    http: {
      ...http,
      // Node rejects a time for headers that is longer than the one for the whole request.
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: interval,
      maxHeaderSize: headerBytes,
    },
  }
}
