import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { AppError } from '../errors/index.ts'
import { equalTexts } from '../lang/equal-texts.ts'

/** Milliseconds that statements took for one request. */
type Spent = { database: number }

/** Knows how long the statements of each request take. */
export type AnswerClock = {
  /** Counts the time of a statement for the request in whose course it runs. */
  readonly around: <Result>(statement: unknown, work: () => Promise<Result>) => Promise<Result>
  /** Has every answer say where its time went. */
  readonly report: (app: FastifyInstance) => void
}

/**
 * `Server-Timing` (W3C Server Timing) for every answer that passes the framework: `total` from the
 * request to the first byte of the answer, `db` the sum of its statements, which may run side by side.
 * Whole milliseconds: finer ones would reveal more about closed data than the network lets through.
 */
export function answerClock(): AnswerClock {
  const current = new AsyncLocalStorage<Spent>()
  return {
    around: async (_statement, work) => {
      const spent = current.getStore()
      if (spent === undefined) return work()
      const since = performance.now()
      try {
        return await work()
      } finally {
        spent.database += performance.now() - since
      }
    },
    report: (app) => {
      reportTimes(app, current)
    },
  }
}

function reportTimes(app: FastifyInstance, current: AsyncLocalStorage<Spent>): void {
  const spending = new WeakMap<FastifyRequest, Spent>()
  app.addHook('onRequest', (request, _reply, done) => {
    const spent = { database: 0 }
    spending.set(request, spent)
    current.run(spent, done)
  })
  // What reads a body is called by its stream, which knows of no request.
  app.addHook('preValidation', (request, _reply, done) => {
    const spent = spending.get(request)
    if (spent === undefined || current.getStore() === spent) done()
    else current.run(spent, done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const total = Math.round(reply.elapsedTime)
    const database = Math.round(spending.get(request)?.database ?? 0)
    void reply.header('server-timing', `total;dur=${String(total)}, db;dur=${String(database)}`)
    void reply.header('timing-allow-origin', '*')
    done(null, payload)
  })
}

/** Logs, counts and times every answer. */
export function observeAnswers(
  app: FastifyInstance,
  registry: Registry,
  shown: ShownAddress,
): void {
  logRequests(app, shown)
  observeRequests(app, registry)
}

/** Seconds. Most answers take a few milliseconds; the long tail is what operators look for. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Answers that are counted together, at the latest when somebody looks. The library looks up all labels
 * for each, which takes a fifth of the time that it does between other work (measured).
 */
const batch = 256

type Answered = {
  readonly method: string
  /** Pattern of the route. */
  readonly route: string
  readonly status: number
  readonly milliseconds: number
}

let ofProcess: Registry | undefined

/**
 * What a hub measures, with memory, processor and event loop of its process. What measures those never ends, and
 * keeps what it reports to: hubs that one process opens one after the other share it.
 */
export function openRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return Registry.merge([ofProcess])
}

/**
 * Counts and times every answer by route pattern, never by address: no identifier, and so no closed
 * record, can show in a label. Served at `/metrics` in the Prometheus text format.
 */
function observeRequests(app: FastifyInstance, registry: Registry): void {
  const waiting: Answered[] = []
  const collect = () => {
    for (const { method, route, status, milliseconds } of waiting.splice(0)) {
      const labels = { method, route, status: String(status) }
      requests.inc(labels)
      durations.observe(labels, milliseconds / 1000)
    }
  }
  const common = {
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
    collect,
  }
  const requests = new Counter({
    ...common,
    name: 'hub_http_requests_total',
    help: 'Answered requests',
  })
  const durations = new Histogram({
    ...common,
    name: 'hub_http_request_duration_seconds',
    help: 'Time from request to the end of the answer',
    buckets,
  })
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'unrouted'
    const answered = { method, route, status: statusCode, milliseconds: elapsedTime }
    if (waiting.push(answered) >= batch) collect()
    done()
  })
}

/** Shows how many requests were answered from memory. */
export function showUses(
  registry: Registry,
  uses: () => Readonly<Record<'hit' | 'miss', number>>,
): void {
  const counter = new Counter({
    name: 'hub_answer_memory_requests_total',
    help: 'Requests for answers that can be kept, by whether one was kept',
    labelNames: ['result'] as const,
    registers: [registry],
    collect: () => {
      counter.reset()
      for (const [result, count] of Object.entries(uses())) counter.inc({ result }, count)
    },
  })
}

/** What of the address of a client is logged. */
type ShownAddress = (address: string) => string | undefined

/** One line per answered request; the caller is named by user, client and address, never by token. */
function logRequests(app: FastifyInstance, shown: ShownAddress): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, principal } = request
    const who =
      principal.kind === 'verified' ? { caller: principal.name, client: principal.client } : {}
    const address = shown(request.ip)
    const url = withoutSecrets(request.url)
    const { statusCode: status, elapsedTime } = reply
    const milliseconds = Math.round(elapsedTime * 10) / 10
    request.log.info({ method, url, status, milliseconds, address, ...who }, 'answered')
    done()
  })
}

/** Parameters that hold secrets (RFC 6749, RFC 6750, OpenID Connect), in any letter case. */
const secret =
  /^(?:(?:access_|refresh_|id_|subject_|actor_)?token(?:_hint)?|id_token_hint|client_secret|client_assertion|password|assertion|code|code_verifier|api[_-]?key|authorization|secret)$/i

/** Addresses that need no closer look; `%` may write any letter of a name. */
const suspicious = /token|secret|password|assertion|code|key|authorization|%/i

/** Some clients send tokens in the address, against all advice; they must not end up in the log. */
export function withoutSecrets(url: string): string {
  const start = url.indexOf('?')
  if (start < 0 || !suspicious.test(url.slice(start))) return url
  return url.replace(/([?&])([^=&]*)=[^&]*/g, (pair, separator: string, name: string) =>
    secret.test(decoded(name)) ? `${separator}${name}=***` : pair,
  )
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Who may read `/metrics`, and where (`HUB_METRICS`). */
export type MetricsAccess =
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'port'; readonly port: number; readonly host: string }

/** Serves `/metrics` in the Prometheus text format to whom it is meant for. */
export function serveMetrics(
  app: FastifyInstance,
  registry: Registry,
  access: MetricsAccess,
): void {
  if (access.kind === 'off') return
  if (access.kind === 'port') {
    openPort(app, metricsServer(registry), access)
    return
  }
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (access.kind === 'token') assertToken(request.headers.authorization, access.token)
    // The token of HUB_METRICS is not from the token service, which has rejected it.
    reply.removeHeader('www-authenticate')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function assertToken(authorization: string | undefined, token: string): void {
  const [scheme = '', sent = ''] = (authorization ?? '').split(' ', 2)
  if (scheme.toLowerCase() === 'bearer' && equalTexts(sent, token)) return
  throw new AppError('HUB-ACC-001', 'This address needs the token that HUB_METRICS names.', {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
    hint: 'Send it as Authorization: Bearer <token>.',
  })
}

/** Opens a port before the hub listens on its own, so that a port in use keeps the hub from starting. */
function openPort(app: FastifyInstance, server: Server, { port, host }: Address): void {
  app.addHook('onReady', async () => {
    server.listen(port, host)
    await once(server, 'listening')
  })
  app.addHook('onClose', async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
}

type Address = { readonly port: number; readonly host: string }

/** Nothing but `/metrics`: neither callers nor quotas. */
function metricsServer(registry: Registry): Server {
  return createServer(({ method = '', url = '' }, response) => {
    if (url.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end()
    if (!['GET', 'HEAD'].includes(method)) {
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
    }
    const failed = () => response.writeHead(500).end()
    const send = (text: string) =>
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    registry.metrics().then(send).catch(failed)
  })
}
