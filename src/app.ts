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
  /** In which trusted proxies name the client; `x-forwarded-for` when it is left out. */
  readonly proxyHeader?: 'forwarded' | 'x-forwarded-for'
  readonly now: () => Date
  readonly authenticate: Authenticate
  /** How much of the addresses of clients is logged; shortened when it is left out. */
  readonly logAddresses?: AddressDetail
  /** What services count, shown at `/metrics` beside what is counted of every answer. */
  readonly metrics?: Registry
  /** Who may read them; everybody when it is left out. */
  readonly metricsAccess?: MetricsAccess
  /** Traces requests; without it nobody does. */
  readonly tracing?: Pick<Tracing, 'traceRequests'> | undefined
  /** Counts who reads what; without it nobody does. */
  readonly use?: { readonly watch: (app: FastifyInstance) => void } | undefined
  /** Tells callers where the time of an answer went; without it they are not told. */
  readonly clock?: AnswerClock | undefined
  /** What clients may take of the server; without it what Fastify lets them. */
  readonly limits?: ServerLimits
  /** Bytes of answers that are kept to be sent again; none where it is left out. */
  readonly answerMemory?: number
  /** Counts requests, so that nobody's are too many; without it nothing is counted. */
  readonly quota?: Counters | undefined
  /** Requests in a second from one address (`HUB_QUOTA_PER_ADDRESS`); any number where it is left out. */
  readonly quotaPerAddress?: number
  /** Answers browsers that ask what an error is; without it all get a plain page. */
  readonly answerBrowser?: AnswerBrowser | undefined
  /** The services that this process offers, in the order of their registration. */
  readonly services: readonly FastifyPluginAsync[]
}

/** The HTTP face of the hub: what every answer has in common, then the services. No I/O. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.log,
    // One line per request is written by logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    trustProxy: [...deps.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 5000 },
    forceCloseConnections: 'idle',
    // What comes over open connections meanwhile is answered, and the connection closed.
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
  // Services read the bodies they take; an address that takes none is 404 or 405 whatever is sent.
  app.removeAllContentTypeParsers()
  await allowCrossOrigin(app)
  const registry = deps.metrics ?? openRegistry()
  await packAndKeepAnswers(app, deps, registry)
  identifyCallers(app, deps.authenticate)
  deps.use?.watch(app)
  observeAnswers(app, registry, loggedAddress(deps.logAddresses ?? 'shortened'))
  limitRequests(app, deps, registry)
  readQueries(app)
  await describeRoutes(app, deps.quota === undefined ? deps : { ...deps, complete: describeQuota })
  explainErrors(app, deps.answerBrowser)
  serveMetrics(app, registry, deps.metricsAccess ?? { kind: 'on' })
  for (const service of deps.services) await app.register(service)
  return app
}

/**
 * When the server closes, it would wait for clients that are connected and have sent nothing, as browsers do ahead, and
 * for connections that are kept after the answer to a request that was under way.
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

/** What one client, or all of them together, may take of the server. Times in milliseconds. */
type ServerLimits = {
  /** Until the headers of a request must have arrived, counted from its first byte or the connection. */
  readonly headersTimeout: number
  /** Until a request must have arrived as a whole, with its body. */
  readonly requestTimeout: number
  /** Connections at a time; further ones are closed at once. */
  readonly maxConnections: number
}

/** How often connections are checked for slow requests, in milliseconds. */
const interval = 1000

/** Address and headers together; documented with HUB-RTE-004. */
const headerBytes = 16_384

/**
 * The options of Fastify for these limits. A client that sends byte by byte is answered 408 and
 * disconnected (HUB-RTE-006), at any address.
 */
function toServerOptions(limits: ServerLimits | undefined) {
  if (limits === undefined) return {}
  const { headersTimeout, requestTimeout } = limits
  return {
    requestTimeout,
    http: {
      // Node refuses a time for headers that is longer than the one for all.
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: interval,
      maxHeaderSize: headerBytes,
    },
  }
}
