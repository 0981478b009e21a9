import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { LRUCache } from 'lru-cache'

/** Milliseconds that the statements of one request took. */
type Spent = { database: number }

/** Measures how long the statements of each request take. */
export type AnswerClock = {
  /** Adds the time of a statement to the request during which it runs. */
  readonly around: <Result>(statement: unknown, work: () => Promise<Result>) => Promise<Result>
  /** Reports in every response where its time went. */
  readonly report: (app: FastifyInstance) => void
}

/**
 * Returns a clock that sets `Server-Timing` (W3C Server Timing) on every response of the framework:
 * `total` from the request to the first byte of the response, `db` the sum of its statements, which
 * may run concurrently. In whole milliseconds: finer ones would reveal more about closed data than
 * the network lets through.
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
  // Restores the context, because the stream of the body, which continues the request here, has
  // none.
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

/** Logs, counts and times every response. */
export function observeAnswers(
  app: FastifyInstance,
  registry: Registry,
  shown: ShownAddress,
): void {
  logRequests(app, shown)
  observeRequests(app, registry)
}

/** Buckets in seconds. Most responses take a few milliseconds; operators look for the long tail. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Number of responses that are counted at once; a scrape counts them earlier. The library looks up
 * all labels for each response, which in a batch takes a fifth of the time that it takes between
 * other work (measured).
 */
const batch = 256

type Answered = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
}

let ofProcess: Registry | undefined

/**
 * Opens the registry of a hub, with memory, processor and event loop of its process. The collectors
 * of these never end and keep their registry, so hubs opened one after the other in a process share
 * it.
 */
export function openRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return Registry.merge([ofProcess])
}

/**
 * Counts and times every response by route pattern, never by URL, so that no identifier, and thus
 * no closed record, can appear in a label. Served at `/metrics` in the Prometheus text format.
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

/** Registers a metric of how many requests the cache answered. */
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

/** Returns the part of a client's address that is logged. */
type ShownAddress = (address: string) => string | undefined

/**
 * Logs one line per request. The caller is identified by user, client and address, never by token.
 */
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

/** Names of parameters that contain secrets (RFC 6749, RFC 6750, OpenID Connect), in any case. */
const secret =
  /^(?:(?:access_|refresh_|id_|subject_|actor_)?token(?:_hint)?|id_token_hint|client_secret|client_assertion|password|assertion|code|code_verifier|api[_-]?key|authorization|secret)$/i

/**
 * Query strings that may contain such a name. Others need no closer check; `%` may encode any
 * letter.
 */
const suspicious = /token|secret|password|assertion|code|key|authorization|%/i

/**
 * Masks secrets in a URL. Some clients send tokens there, against all advice, and the log must not
 * contain them.
 */
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

type Use = { readonly name: string; readonly requests: number }

/**
 * Limit on the names counted separately, keeping those used last, because callers can invent names.
 */
const maxNames = 500
const maxNameLength = 100

/**
 * Counts which clients read which datasets in which formats. Keeps only counts, in memory, for
 * operators only.
 */
export function countUse() {
  const counts = {
    clients: new LRUCache<string, number>({ max: maxNames }),
    datasets: new LRUCache<string, number>({ max: maxNames }),
    formats: new LRUCache<string, number>({ max: maxNames }),
    refused: new LRUCache<string, number>({ max: maxNames }),
  }
  const count = (kind: keyof typeof counts, name: string) => {
    const key = name.slice(0, maxNameLength)
    counts[kind].set(key, (counts[kind].get(key) ?? 0) + 1)
  }
  const most = (kind: keyof typeof counts, limit: number): readonly Use[] =>
    [...counts[kind].entries()]
      .map(([name, requests]) => ({ name, requests }))
      .sort((a, b) => b.requests - a.requests || a.name.localeCompare(b.name))
      .slice(0, limit)
  return {
    watch: (app: FastifyInstance) => {
      app.addHook('onResponse', (request, reply, done) => {
        if (reply.statusCode === 429) count('refused', clientOf(request))
        const datasets = reply.statusCode < 400 ? datasetsOf(request) : []
        for (const dataset of datasets) count('datasets', dataset)
        if (datasets.length > 0) {
          count('clients', clientOf(request))
          count('formats', formatOf(reply))
        }
        done()
      })
    },
    most: (limit: number) => ({
      clients: most('clients', limit),
      datasets: most('datasets', limit),
      formats: most('formats', limit),
      refused: most('refused', limit),
    }),
  }
}

function clientOf({ principal }: FastifyRequest): string {
  return principal.kind === 'verified' ? principal.client : 'anonymous'
}

/** Returns the media type of a response, or the status of one without a body, such as 304. */
function formatOf(reply: FastifyReply): string {
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';')
  return type === '' ? String(reply.statusCode) : type
}

/** Returns the catalogue identifiers of the datasets that a request reads. */
function datasetsOf({ routeOptions, params }: FastifyRequest): readonly string[] {
  const route = routeOptions.url ?? ''
  const [, content] = /^\/v1\/([A-Z]\w*)/.exec(route) ?? []
  if (content !== undefined) return [`content/${content}`]
  if (route.startsWith('/traffic/')) return ['traffic']
  const types = route.startsWith('/v2/') ? parameterOf(params, 'stationTypes') : undefined
  return (types ?? '').split(',').flatMap((type) => {
    return ['', '*'].includes(type.trim()) ? [] : [`timeseries/${type.trim()}`]
  })
}

function parameterOf(params: unknown, name: string): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  const value: unknown = Reflect.get(params, name)
  return typeof value === 'string' ? value : undefined
}

/** All calls of statements with the same text, which contains no values. */
export type StatementShape = {
  readonly text: string
  readonly calls: number
  /** Total of all calls. */
  readonly seconds: number
  readonly longest: number
}

type Count = { calls: number; seconds: number; longest: number }

/** Buckets in seconds. */
const statementBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]

const maxShapes = 500

/**
 * Measures every statement, by its text, from sending to its result. Waiting for a connection is
 * included, because callers wait for it.
 */
export function measureStatements(registry: Registry) {
  const counts = new LRUCache<string, Count>({ max: maxShapes })
  const durations = new Histogram({
    name: 'hub_database_statement_seconds',
    help: 'Time from a statement to its result, with the wait for a connection',
    buckets: statementBuckets,
    registers: [registry],
  })
  const note = (text: string, seconds: number) => {
    durations.observe(seconds)
    const count = counts.get(text)
    if (count === undefined) {
      counts.set(text, { calls: 1, seconds, longest: seconds })
      return
    }
    count.calls += 1
    count.seconds += seconds
    count.longest = Math.max(count.longest, seconds)
  }
  return {
    around: async <Result>(
      { text }: { readonly text: string },
      work: () => Promise<Result>,
    ): Promise<Result> => {
      const begun = performance.now()
      try {
        return await work()
      } finally {
        note(text, (performance.now() - begun) / 1000)
      }
    },
    /** Returns the statements with the highest total time. */
    slowest: (most: number): readonly StatementShape[] =>
      [...counts.entries()]
        .map(([text, count]) => ({ text: text.replace(/\s+/g, ' ').trim(), ...count }))
        .sort((one, other) => other.seconds - one.seconds)
        .slice(0, most),
  }
}
