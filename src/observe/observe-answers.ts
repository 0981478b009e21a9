import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { LRUCache } from 'lru-cache'

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

type Use = { readonly name: string; readonly requests: number }

/** Callers can make names up, so only so many are counted apart: those that were used last. */
const mostNames = 500
const longestName = 100

/** Which clients read which datasets in which formats: counts only, kept in memory, and shown to operators alone. */
export function countUse() {
  const counts = {
    clients: new LRUCache<string, number>({ max: mostNames }),
    datasets: new LRUCache<string, number>({ max: mostNames }),
    formats: new LRUCache<string, number>({ max: mostNames }),
    refused: new LRUCache<string, number>({ max: mostNames }),
  }
  const count = (kind: keyof typeof counts, name: string) => {
    const key = name.slice(0, longestName)
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

/** A response without a body, such as 304, has no format. */
function formatOf(reply: FastifyReply): string {
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';')
  return type === '' ? String(reply.statusCode) : type
}

/** The identifiers of the datasets that a request reads, as the catalogue has them. */
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

/** The statements of one text, which carries no values. */
export type StatementShape = {
  readonly text: string
  readonly calls: number
  /** Of all calls together. */
  readonly seconds: number
  readonly longest: number
}

type Count = { calls: number; seconds: number; longest: number }

/** Seconds. */
const statementBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]

const mostShapes = 500

/**
 * Measures every statement, by its shape, from when it is sent until it is answered: the wait for a connection
 * counts, because callers wait for it.
 */
export function measureStatements(registry: Registry) {
  const counts = new LRUCache<string, Count>({ max: mostShapes })
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
    /** Those that took the most time in all. */
    slowest: (most: number): readonly StatementShape[] =>
      [...counts.entries()]
        .map(([text, count]) => ({ text: text.replace(/\s+/g, ' ').trim(), ...count }))
        .sort((one, other) => other.seconds - one.seconds)
        .slice(0, most),
  }
}
